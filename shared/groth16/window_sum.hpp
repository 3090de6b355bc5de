#pragma once

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "shared/groth16/bucket_sort.hpp"
#include "shared/groth16/point_table.hpp"
#include "shared/groth16/run_adder.hpp"

namespace baton {

/// One RunAdder for each thread that needs one.
template <class Affine>
using RunAdders = tbb::enumerable_thread_specific<RunAdder<Affine>>;

/// The sum over one window of a multi-scalar multiplication, from its sorted digits: the buckets first, then
/// sum (b + 1) bucket[b]. Work is cut into pieces of equal numbers of entries, wherever bucket boundaries
/// are, so that a bucket that holds everything costs no more than many small ones. Keeps its memory. One
/// caller at a time; uses the threads of the caller's arena.
template <class Affine, class Accumulator>
class WindowSum {
 public:
  explicit WindowSum(RunAdders<Affine>& adders) : adders_(adders) {}

  Accumulator compute(const BucketSort& sorted, const PointTable<Affine>& table) {
    fill_buckets(sorted, table);
    return weigh_buckets();
  }

 private:
  static constexpr std::size_t kPiece = RunAdder<Affine>::kCapacity;
  static constexpr std::size_t kPrefetchDistance = 12;
  static constexpr std::size_t kNoBucket = ~std::size_t{0};

  /// The part of a bucket that one piece holds of it when it does not hold all.
  struct Partial {
    std::size_t bucket = kNoBucket;
    Affine sum = Affine::infinity();
  };

  void fill_buckets(const BucketSort& sorted, const PointTable<Affine>& table) {
    buckets_.assign(sorted.starts().size() - 1, Affine::infinity());
    const std::size_t pieces = (sorted.entries().size() + kPiece - 1) / kPiece;
    partials_.assign(2 * pieces, Partial{});
    tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t piece) { add_piece(sorted, table, piece); });
    merge_partials();
  }

  /// Sums the parts of buckets in entries [kPiece piece, kPiece (piece + 1)).
  void add_piece(const BucketSort& sorted, const PointTable<Affine>& table, std::size_t piece) {
    const auto starts = sorted.starts();
    const std::size_t begin = kPiece * piece;
    const std::size_t end = std::min(sorted.entries().size(), begin + kPiece);
    RunAdder<Affine>& adder = adders_.local();
    adder.clear();
    const auto first =
        static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), begin) - starts.begin()) - 1;
    std::size_t bucket = first;
    for (std::size_t at = begin; at < end; ++bucket) {
      const std::size_t stop = std::min<std::size_t>(end, starts[bucket + 1]);
      adder.begin_run();
      push_entries(sorted.entries(), at, stop, table, adder);
      at = stop;
    }
    adder.reduce();
    for (std::size_t run = 0; run < adder.run_count(); ++run) {
      const std::size_t b = first + run;
      if (starts[b] < begin) {
        partials_[2 * piece] = {b, adder.sum(run)};
      } else if (starts[b + 1] > end) {
        partials_[2 * piece + 1] = {b, adder.sum(run)};
      } else {
        buckets_[b] = adder.sum(run);
      }
    }
  }

  static void push_entries(std::span<const BucketEntry> entries, std::size_t begin, std::size_t end,
                           const PointTable<Affine>& table, RunAdder<Affine>& adder) {
    for (std::size_t i = begin; i < end; ++i) {
      // Scalars below first_scalar wrap around to indices beyond the count, as those above do.
      const std::size_t ahead = i + kPrefetchDistance < entries.size()
                                    ? entries[i + kPrefetchDistance].index() - table.first_scalar
                                    : table.count;
      if (ahead < table.count) {
        table.prefetch(ahead);
      }
      const std::size_t index = entries[i].index() - table.first_scalar;
      if (index < table.count) {
        adder.push(table[index], entries[i].negative());
      }
    }
  }

  /// Adds the parts of buckets that were cut by piece boundaries; they are in order of bucket.
  void merge_partials() {
    std::erase_if(partials_, [](const Partial& partial) { return partial.bucket == kNoBucket; });
    RunAdder<Affine>& adder = adders_.local();
    std::size_t at = 0;
    while (at < partials_.size()) {
      adder.clear();
      const std::size_t bucket = partials_[at].bucket;
      adder.begin_run();
      adder.push(buckets_[bucket]);
      while (at < partials_.size() && partials_[at].bucket == bucket && adder.room() != 0) {
        adder.push(partials_[at++].sum);
      }
      adder.reduce();
      buckets_[bucket] = adder.sum(0);
    }
  }

  /// sum (b + 1) bucket[b], by the sums of rows and columns of a grid of buckets, b = row columns + column.
  Accumulator weigh_buckets() {
    const auto log_buckets = static_cast<unsigned>(std::countr_zero(buckets_.size()));
    const unsigned log_columns = log_buckets / 2;
    const std::size_t columns = std::size_t{1} << log_columns;
    const std::size_t rows = buckets_.size() / columns;
    lines_.assign(rows + columns, Affine::infinity());
    sum_lines(rows, columns, columns, 1, lines_.data());
    sum_lines(columns, rows, 1, columns, lines_.data() + rows);

    Accumulator running = Accumulator::infinity();
    Accumulator total = Accumulator::infinity();
    for (std::size_t row = rows - 1; row != 0; --row) {
      running = running + lines_[row];
      total = total + running;
    }
    for (unsigned i = 0; i < log_columns; ++i) {
      total = total.doubled();
    }
    running = Accumulator::infinity();
    for (std::size_t column = columns; column != 0; --column) {
      running = running + lines_[rows + column - 1];
      total = total + running;
    }
    return total;
  }

  /// sums[i] = sum over j < length of bucket[i line_step + j item_step], for i < count.
  void sum_lines(std::size_t count, std::size_t length, std::size_t line_step, std::size_t item_step,
                 Affine* sums) {
    const std::size_t lines_at_once = std::max<std::size_t>(1, kPiece / length);
    const std::size_t pieces = (count + lines_at_once - 1) / lines_at_once;
    tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t piece) {
      const std::size_t begin = piece * lines_at_once;
      const std::size_t end = std::min(count, begin + lines_at_once);
      RunAdder<Affine>& adder = adders_.local();
      adder.clear();
      for (std::size_t i = begin; i < end; ++i) {
        adder.begin_run();
        for (std::size_t j = 0; j < length; ++j) {
          adder.push(buckets_[i * line_step + j * item_step]);
        }
      }
      adder.reduce();
      for (std::size_t i = begin; i < end; ++i) {
        sums[i] = adder.sum(i - begin);
      }
    });
  }

  RunAdders<Affine>& adders_;
  std::vector<Affine> buckets_;
  std::vector<Partial> partials_;
  std::vector<Affine> lines_;
};

}  // namespace baton
