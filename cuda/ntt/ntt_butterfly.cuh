#pragma once

#include "cuda/ntt/ntt_tile.cuh"

namespace baton::ntt {

/// w, w^2 and w^3 for a primitive 8th root of unity w.
template <class Fr>
struct EighthRoots {
  Fr w[3];
};

template <class Fr>
BATON_HOST_DEVICE inline void sum_difference(Fr& a, Fr& b) {
  const Fr sum = a + b;
  b = a - b;
  a = sum;
}

/// The last `stages` (1 to 3) stages of the 8-point transform, natural order in, reversed order out: with 2
/// stages two transforms of 4 points, with 1 stage four of 2.
template <class Fr>
BATON_HOST_DEVICE inline void forward_stages(Fr (&x)[kRadix], unsigned stages, const EighthRoots<Fr>& roots) {
  if (stages >= 3) {
    BATON_UNROLL
    for (int j = 0; j < 4; ++j) {
      sum_difference(x[j], x[j + 4]);
      if (j > 0) {
        x[j + 4] = x[j + 4] * roots.w[j - 1];
      }
    }
  }
  if (stages >= 2) {
    BATON_UNROLL
    for (int half = 0; half < 8; half += 4) {
      sum_difference(x[half], x[half + 2]);
      sum_difference(x[half + 1], x[half + 3]);
      x[half + 3] = x[half + 3] * roots.w[1];
    }
  }
  BATON_UNROLL
  for (int pair = 0; pair < 8; pair += 2) {
    sum_difference(x[pair], x[pair + 1]);
  }
}

/// The transpose of forward_stages: reversed order in, natural order out.
template <class Fr>
BATON_HOST_DEVICE inline void transposed_stages(Fr (&x)[kRadix], unsigned stages,
                                                const EighthRoots<Fr>& roots) {
  BATON_UNROLL
  for (int pair = 0; pair < 8; pair += 2) {
    sum_difference(x[pair], x[pair + 1]);
  }
  if (stages >= 2) {
    BATON_UNROLL
    for (int half = 0; half < 8; half += 4) {
      x[half + 3] = x[half + 3] * roots.w[1];
      sum_difference(x[half], x[half + 2]);
      sum_difference(x[half + 1], x[half + 3]);
    }
  }
  if (stages >= 3) {
    BATON_UNROLL
    for (int j = 0; j < 4; ++j) {
      if (j > 0) {
        x[j + 4] = x[j + 4] * roots.w[j - 1];
      }
      sum_difference(x[j], x[j + 4]);
    }
  }
}

/// The order in which a column of 2^log_rows rows is transformed: phases of radix 8 while the span is 8 or
/// more, then one of 2 or 1 stages on 8 neighbouring rows.
struct Phases {
  unsigned log_rows;

  BATON_HOST_DEVICE unsigned count() const { return (log_rows + 2) / 3; }
  /// Span of phase `p`: the rows that it mixes lie inside blocks of so many.
  BATON_HOST_DEVICE unsigned log_span(unsigned p) const { return log_rows - 3 * p; }
  BATON_HOST_DEVICE unsigned stages(unsigned p) const { return log_span(p) >= 3 ? 3 : log_span(p); }
  /// Distance between the 8 rows of one thread.
  BATON_HOST_DEVICE unsigned log_step(unsigned p) const { return log_span(p) >= 3 ? log_span(p) - 3 : 0; }
  /// First row of the 8 that thread row `g` (below rows / 8) has in phase `p`.
  BATON_HOST_DEVICE std::uint32_t first_row(unsigned p, std::uint32_t g) const {
    const unsigned step = log_step(p);
    return ((g >> step) << (step + 3)) | (g & ((1U << step) - 1));
  }
};

/// Multiplies what phase `p` leaves (or, transposed, takes) at its 8 rows by the roots between it and the
/// next: row j gets w_span^(offset * reversed(j)). `roots`: w_rows^e for e below rows.
template <class Fr>
BATON_HOST_DEVICE inline void twiddle(Fr (&x)[kRadix], const Phases& phases, unsigned p,
                                      std::uint32_t first_row, const Tile<Fr>& roots,
                                      std::uint32_t row_mask) {
  const unsigned step = phases.log_step(p);
  const std::uint32_t offset = first_row & ((1U << step) - 1);
  const unsigned scale = phases.log_rows - phases.log_span(p);
  BATON_UNROLL
  for (std::uint32_t j = 1; j < kRadix; ++j) {
    constexpr std::uint32_t kReversed[kRadix] = {0, 4, 2, 6, 1, 5, 3, 7};
    const std::uint32_t exponent = ((offset * kReversed[j]) << scale) & row_mask;
    x[j] = x[j] * roots.get(exponent >> 3, exponent & 7);
  }
}

}  // namespace baton::ntt
