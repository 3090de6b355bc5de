#pragma once

#include "cuda/ntt/ntt_butterfly.cuh"

/// One pass over all elements, as the steps between two barriers that each thread of a block takes. The
/// kernels put barriers between the steps; host tests run the same steps thread by thread.
///
/// Inverse passes take the transform apart (natural order in, reversed order out), forward passes are their
/// transposes (reversed order in, natural order out). With M = rows * stride, index i = row * stride +
/// column: rows of a column are transformed, then element (row, column) is multiplied by w_M^(column *
/// reversed(row)).
namespace baton::ntt {

/// Roots that a pass needs. `rows`: w_rows^e, e below rows.
template <class Fr>
struct PassRoots {
  const Fr* rows = nullptr;
  EighthRoots<Fr> eighth{};
};

template <class Fr>
BATON_HOST_DEVICE inline void copy_roots(const Fr* source, const Tile<Fr>& roots, std::uint32_t thread) {
  roots.set(thread >> 3, thread & 7, source[thread]);
}

/// A pass whose columns are `stride` (at least 8) elements long; one block has 8 neighbouring columns and as
/// many threads as rows.
template <class Fr>
struct StridedPass {
  unsigned log_rows;
  unsigned log_stride;
  const Fr* twiddles;  ///< M of them: w_M^(column * reversed(row)) at row * stride + column
  PassRoots<Fr> roots;

  BATON_HOST_DEVICE std::uint32_t local(std::uint32_t block, std::uint32_t row, std::uint32_t column) const {
    const std::uint32_t group = block & ((1U << (log_stride - 3)) - 1);
    return (row << log_stride) + (group << 3) + column;
  }
  BATON_HOST_DEVICE std::uint32_t base(std::uint32_t block) const {
    return (block >> (log_stride - 3)) << (log_rows + log_stride);
  }

  /// Phase `p` of the inverse pass; the first loads, the last stores.
  template <class Load, class Store>
  BATON_HOST_DEVICE void inverse_phase(unsigned p, std::uint32_t block, std::uint32_t thread,
                                       const Tile<Fr>& tile, const Tile<Fr>& root_tile, const Load& load,
                                       const Store& store) const {
    const Phases phases{log_rows};
    const std::uint32_t column = thread & 7;
    const std::uint32_t first = phases.first_row(p, thread >> 3);
    const unsigned step = phases.log_step(p);
    Fr x[kRadix];
    BATON_UNROLL
    for (std::uint32_t j = 0; j < kRadix; ++j) {
      const std::uint32_t row = first + (j << step);
      x[j] = p == 0 ? load(base(block) + local(block, row, column)) : tile.get(row, column);
    }
    forward_stages(x, phases.stages(p), roots.eighth);
    if (step > 0) {
      twiddle(x, phases, p, first, root_tile, (1U << log_rows) - 1);
    }
    const bool last = p + 1 == phases.count();
    BATON_UNROLL
    for (std::uint32_t j = 0; j < kRadix; ++j) {
      const std::uint32_t row = first + (j << step);
      if (last) {
        const std::uint32_t place = local(block, row, column);
        store(base(block) + place, x[j] * twiddles[place]);
      } else {
        tile.set(row, column, x[j]);
      }
    }
  }

  /// Phase `p`, counted down, of the forward pass; the first (largest p) loads, the last (0) stores.
  template <class Load, class Store>
  BATON_HOST_DEVICE void forward_phase(unsigned p, std::uint32_t block, std::uint32_t thread,
                                       const Tile<Fr>& tile, const Tile<Fr>& root_tile, const Load& load,
                                       const Store& store) const {
    const Phases phases{log_rows};
    const std::uint32_t column = thread & 7;
    const std::uint32_t first = phases.first_row(p, thread >> 3);
    const unsigned step = phases.log_step(p);
    const bool loads = p + 1 == phases.count();
    Fr x[kRadix];
    BATON_UNROLL
    for (std::uint32_t j = 0; j < kRadix; ++j) {
      const std::uint32_t row = first + (j << step);
      if (loads) {
        const std::uint32_t place = local(block, row, column);
        x[j] = load(base(block) + place) * twiddles[place];
      } else {
        x[j] = tile.get(row, column);
      }
    }
    if (step > 0) {
      twiddle(x, phases, p, first, root_tile, (1U << log_rows) - 1);
    }
    transposed_stages(x, phases.stages(p), roots.eighth);
    BATON_UNROLL
    for (std::uint32_t j = 0; j < kRadix; ++j) {
      const std::uint32_t row = first + (j << step);
      if (p == 0) {
        store(base(block) + local(block, row, column), x[j]);
      } else {
        tile.set(row, column, x[j]);
      }
    }
  }
};

/// The pass over neighbouring elements: a block has 8 runs of `rows` elements, one a column of its tile. It
/// can end an inverse transform, begin a forward one, or do both with the coset factors between them.
template <class Fr>
struct ContiguousPass {
  unsigned log_rows;
  unsigned log_size;  ///< of the whole transform
  const Fr* factors;  ///< by position: what is multiplied between inverse and forward; null: `scale` instead
  Fr scale;           ///< after an inverse transform without forward
  PassRoots<Fr> inverse;
  PassRoots<Fr> forward;
  bool scaled_before = false;  ///< the twiddles of the pass before hold `scale`

  BATON_HOST_DEVICE std::uint32_t runs() const { return 1U << (log_size - log_rows); }
  BATON_HOST_DEVICE bool has_column(std::uint32_t block, std::uint32_t column) const {
    return (block << 3) + column < runs();
  }
  BATON_HOST_DEVICE std::uint32_t index(std::uint32_t block, std::uint32_t row, std::uint32_t column) const {
    return (((block << 3) + column) << log_rows) + row;
  }

  /// Copies the block's elements between memory and tile, neighbouring threads neighbouring elements.
  template <class Load>
  BATON_HOST_DEVICE void load(std::uint32_t block, std::uint32_t thread, const Tile<Fr>& tile,
                              const Load& get) const {
    for (std::uint32_t column = 0; column < kColumns && has_column(block, column); ++column) {
      tile.set(thread, column, get(index(block, thread, column)));
    }
  }
  template <class Store>
  BATON_HOST_DEVICE void store(std::uint32_t block, std::uint32_t thread, const Tile<Fr>& tile,
                               const Store& put) const {
    for (std::uint32_t column = 0; column < kColumns && has_column(block, column); ++column) {
      put(index(block, thread, column), tile.get(thread, column));
    }
  }

  /// Phase `p` of the inverse transform, all but its last.
  BATON_HOST_DEVICE void inverse_phase(unsigned p, std::uint32_t thread, const Tile<Fr>& tile,
                                       const Tile<Fr>& roots) const {
    Fr x[kRadix];
    const Phases phases{log_rows};
    const std::uint32_t first = phases.first_row(p, thread >> 3);
    get(x, first, phases.log_step(p), thread & 7, tile);
    forward_stages(x, phases.stages(p), inverse.eighth);
    twiddle(x, phases, p, first, roots, (1U << log_rows) - 1);
    set(x, first, phases.log_step(p), thread & 7, tile);
  }

  /// The last phase of the inverse transform, the factors, and the first of the forward one.
  template <bool kInverse, bool kForward>
  BATON_HOST_DEVICE void turn(std::uint32_t block, std::uint32_t thread, const Tile<Fr>& tile) const {
    const Phases phases{log_rows};
    const unsigned p = phases.count() - 1;
    const std::uint32_t column = thread & 7;
    const std::uint32_t first = phases.first_row(p, thread >> 3);
    if (!has_column(block, column)) {
      return;
    }
    Fr x[kRadix];
    get(x, first, 0, column, tile);
    if (kInverse) {
      forward_stages(x, phases.stages(p), inverse.eighth);
    }
    if (kInverse && (kForward || !scaled_before)) {
      BATON_UNROLL
      for (std::uint32_t j = 0; j < kRadix; ++j) {
        x[j] = x[j] * (kForward ? factors[index(block, first + j, column)] : scale);
      }
    }
    if (kForward) {
      transposed_stages(x, phases.stages(p), forward.eighth);
    }
    set(x, first, 0, column, tile);
  }

  /// Phase `p`, counted down, of the forward transform, all but its first.
  BATON_HOST_DEVICE void forward_phase(unsigned p, std::uint32_t thread, const Tile<Fr>& tile,
                                       const Tile<Fr>& roots) const {
    Fr x[kRadix];
    const Phases phases{log_rows};
    const std::uint32_t first = phases.first_row(p, thread >> 3);
    get(x, first, phases.log_step(p), thread & 7, tile);
    twiddle(x, phases, p, first, roots, (1U << log_rows) - 1);
    transposed_stages(x, phases.stages(p), forward.eighth);
    set(x, first, phases.log_step(p), thread & 7, tile);
  }

 private:
  BATON_HOST_DEVICE static void get(Fr (&x)[kRadix], std::uint32_t first, unsigned step, std::uint32_t column,
                                    const Tile<Fr>& tile) {
    BATON_UNROLL
    for (std::uint32_t j = 0; j < kRadix; ++j) {
      x[j] = tile.get(first + (j << step), column);
    }
  }
  BATON_HOST_DEVICE static void set(const Fr (&x)[kRadix], std::uint32_t first, unsigned step,
                                    std::uint32_t column, const Tile<Fr>& tile) {
    BATON_UNROLL
    for (std::uint32_t j = 0; j < kRadix; ++j) {
      tile.set(first + (j << step), column, x[j]);
    }
  }
};

/// How a transform of 2^log_size elements is cut into passes: all but the last strided, rows of the first
/// first.
struct PassPlan {
  static constexpr unsigned kMaxPasses = 3;
  static constexpr unsigned kMinLogSize = kMinLogRows;
  static constexpr unsigned kMaxLogSize = kMaxPasses * kMaxLogRows;

  unsigned count = 0;
  unsigned log_rows[kMaxPasses] = {};

  static constexpr PassPlan of(unsigned log_size) {
    // Measured on an H200: rows of 2^6 and small blocks win where there is a choice.
    if (log_size >= 18 && log_size <= 22) {
      const unsigned rest = log_size - 6;
      const unsigned second = rest <= 14 ? 6 : rest - 8;
      return {3, {6, second, rest - second}};
    }
    PassPlan plan;
    plan.count = log_size <= kMaxLogRows ? 1 : log_size <= 15 ? 2 : 3;
    unsigned left = log_size;
    for (unsigned i = 0; i < plan.count; ++i) {
      plan.log_rows[i] = (left + plan.count - i - 1) / (plan.count - i);
      left -= plan.log_rows[i];
    }
    return plan;
  }

  /// log2 of the stride of strided pass `i`: the product of the rows that come after it.
  [[nodiscard]] constexpr unsigned log_stride(unsigned i) const {
    unsigned sum = 0;
    for (unsigned j = i + 1; j < count; ++j) {
      sum += log_rows[j];
    }
    return sum;
  }
};

}  // namespace baton::ntt
