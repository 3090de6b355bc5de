#include "cuda/msm/windows.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <vector>

#include "cuda/msm/reduce_shape.hpp"

namespace baton {
namespace {

MsmDemand demand(unsigned log_size, std::size_t budget) {
  MsmDemand d;
  d.scalars = std::uint64_t{1} << log_size;
  d.points = d.scalars;
  d.table_budget_bytes = budget;
  return d;
}

TEST(WindowsTest, TablesStayWithinTheBudgetAndCoverEveryBit) {
  for (const unsigned log_size : {1U, 10U, 16U, 20U, 24U, 26U}) {
    for (const std::size_t budget :
         {std::size_t{0}, std::size_t{1} << 28, std::size_t{1} << 33, std::size_t{1} << 37}) {
      const MsmDemand d = demand(log_size, budget);
      const MsmWindows w = choose_windows(d);
      EXPECT_GE(w.windows() * w.window_bits, w.scalar_bits);
      EXPECT_GE(w.tables * w.groups(), w.windows());
      EXPECT_LE(w.window_bits, 24U);
      EXPECT_TRUE(w.tables == 1 || w.tables * d.points * d.affine_bytes <= budget);
    }
  }
}

TEST(WindowsTest, MoreSumsToReduceMakeNarrowerWindows) {
  MsmDemand d = demand(20, std::size_t{1} << 37);
  const MsmWindows one = choose_windows(d);
  d.bucket_sets = 6;
  EXPECT_LT(choose_windows(d).window_bits, one.window_bits);
}

/// The reduction of reduce.cuh with integers in place of points.
std::uint64_t reduce(const std::vector<std::uint64_t>& buckets, const device::ReduceShape& s) {
  using device::LineSet;
  using device::LineSets;
  std::vector<std::uint64_t> pieces(s.pieces());
  const std::uint32_t half = s.pieces() / 2;
  for (std::uint32_t id = 0; id < s.pieces(); ++id) {
    const bool row = id < half;
    const std::uint32_t number = row ? id : id - half;
    const std::uint32_t column = number & (s.columns() - 1);
    const std::uint32_t piece = number >> s.log_columns;
    const std::uint32_t first = row ? number << s.log_run : (piece << (s.log_run + s.log_columns)) + column;
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < (1U << s.log_run); ++i) {
      sum += buckets.at(first + i * (row ? 1 : s.columns()));
    }
    pieces.at(row ? number : half + column * (s.rows() >> s.log_run) + piece) += sum;
  }
  const auto sum_lines = [](const std::vector<std::uint64_t>& in, const LineSets& sets) {
    std::vector<std::uint64_t> out;
    for (const LineSet& set : sets.sets) {
      for (std::uint32_t line = 0; line < set.lines; ++line) {
        std::uint64_t sum = 0;
        for (std::uint32_t i = 0; i < set.count; ++i) {
          sum += in.at(set.offset + line * set.step + i * set.stride);
        }
        out.push_back(sum);
      }
    }
    return out;
  };
  const auto lines = sum_lines(pieces, device::piece_lines(s));
  const LineSets second = device::second_lines(s);
  const auto last = sum_lines(lines, second);
  const device::WeightedSets w = device::weighted_sets(second);
  std::uint64_t four[device::kReduceSums] = {};
  for (unsigned k = 0; k < device::kReduceSums; ++k) {
    EXPECT_LE(w.count[k], 64U);
    for (std::uint32_t i = 0; i < w.count[k]; ++i) {
      four[k] += (i + w.first_weight[k]) * last.at(w.offset[k] + i);
    }
  }
  const std::uint64_t rows = (four[0] << s.log_row_columns()) + four[1];
  const std::uint64_t columns = (four[2] << s.log_column_columns()) + four[3];
  return (rows << s.log_columns) + columns;
}

TEST(ReduceShapeTest, RowsAndColumnsGiveTheWeightedSumForEveryWidth) {
  std::mt19937_64 random(1);
  for (unsigned log_buckets = 1; log_buckets <= 16; ++log_buckets) {
    for (const std::uint32_t groups : {1U, 15U, 64U}) {
      std::vector<std::uint64_t> buckets(std::size_t{1} << log_buckets);
      std::uint64_t expected = 0;
      for (std::size_t i = 0; i < buckets.size(); ++i) {
        buckets[i] = random() % 1000;
        expected += (i + 1) * buckets[i];
      }
      EXPECT_EQ(reduce(buckets, device::ReduceShape::of(log_buckets, groups)), expected) << log_buckets;
    }
  }
  for (unsigned log_buckets = 17; log_buckets <= 23; ++log_buckets) {
    const auto shape = device::ReduceShape::of(log_buckets, 1);
    for (const auto& set : device::second_lines(shape).sets) {
      EXPECT_LE(set.lines, 64U);
    }
  }
}

}  // namespace
}  // namespace baton
