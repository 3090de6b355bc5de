#pragma once

#include <algorithm>
#include <cstdint>

#include "cuda/field/mad_chains.cuh"

namespace baton::device {

/// Weighted sums that are left to the host for each group.
inline constexpr unsigned kReduceSums = 4;

/// How the 2^log_buckets buckets of a group are seen as rows of 2^log_columns; pieces of lines are summed by
/// one thread each.
struct ReduceShape {
  unsigned log_buckets;
  unsigned log_columns;
  unsigned log_run;

  /// Enough pieces to fill a device, and no more than that.
  static constexpr ReduceShape of(unsigned log_buckets, std::uint32_t groups) {
    constexpr std::uint64_t kWantedPieces = 1U << 16;
    ReduceShape shape{log_buckets, (log_buckets + 1) / 2, 2};
    while ((2ULL * groups << (log_buckets - std::min(shape.log_run, log_buckets))) > kWantedPieces &&
           shape.log_run < 6) {
      ++shape.log_run;
    }
    shape.log_run = std::min(shape.log_run, shape.log_rows());
    return shape;
  }

  BATON_FIELD_FN constexpr unsigned log_rows() const { return log_buckets - log_columns; }
  BATON_FIELD_FN constexpr std::uint32_t buckets() const { return 1U << log_buckets; }
  BATON_FIELD_FN constexpr std::uint32_t columns() const { return 1U << log_columns; }
  BATON_FIELD_FN constexpr std::uint32_t rows() const { return 1U << log_rows(); }
  BATON_FIELD_FN constexpr std::uint32_t pieces() const { return 2 * (buckets() >> log_run); }

  /// The second split: of the row sums and of the column sums.
  constexpr unsigned log_row_columns() const { return (log_rows() + 1) / 2; }
  constexpr unsigned log_column_columns() const { return (log_columns + 1) / 2; }
};

/// `lines` lines of `count` items: item i of line l stands at offset + l * step + i * stride.
struct LineSet {
  std::uint32_t lines = 0;
  std::uint32_t count = 0;
  std::uint32_t offset = 0;
  std::uint32_t step = 0;
  std::uint32_t stride = 0;
};

struct LineSets {
  LineSet sets[kReduceSums];

  constexpr std::uint32_t lines() const {
    std::uint32_t sum = 0;
    for (const LineSet& set : sets) {
      sum += set.lines;
    }
    return sum;
  }
};

/// Rows and columns of the pieces of a group: sums of rows first, then of columns.
constexpr LineSets piece_lines(const ReduceShape& s) {
  const std::uint32_t in_row = s.columns() >> s.log_run;
  const std::uint32_t in_column = s.rows() >> s.log_run;
  return {{{s.rows(), in_row, 0, in_row, 1}, {s.columns(), in_column, s.pieces() / 2, in_column, 1}, {}, {}}};
}

/// Rows and columns of the row sums, then of the column sums.
constexpr LineSets second_lines(const ReduceShape& s) {
  const unsigned r = s.log_row_columns();
  const unsigned c = s.log_column_columns();
  const std::uint32_t rr = 1U << (s.log_rows() - r);
  const std::uint32_t cr = 1U << (s.log_columns - c);
  return {{{rr, 1U << r, 0, 1U << r, 1},
           {1U << r, rr, 0, 1, 1U << r},
           {cr, 1U << c, s.rows(), 1U << c, 1},
           {1U << c, cr, s.rows(), 1, 1U << c}}};
}

struct WeightedSets {
  std::uint32_t count[kReduceSums];
  std::uint32_t offset[kReduceSums];
  std::uint32_t first_weight[kReduceSums];
};

/// Only the columns of the column sums begin with weight one.
constexpr WeightedSets weighted_sets(const LineSets& lines) {
  WeightedSets w{};
  std::uint32_t offset = 0;
  for (unsigned i = 0; i < kReduceSums; ++i) {
    w.count[i] = lines.sets[i].lines;
    w.offset[i] = offset;
    w.first_weight[i] = i == kReduceSums - 1 ? 1 : 0;
    offset += lines.sets[i].lines;
  }
  return w;
}

}  // namespace baton::device
