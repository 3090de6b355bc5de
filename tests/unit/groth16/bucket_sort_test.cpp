#include "shared/groth16/bucket_sort.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <span>
#include <vector>

#include "shared/groth16/wide_scalars.hpp"
#include "shared/math/big_int.hpp"
#include "shared/math/bn254.hpp"
#include "tests/unit/math/random_elements.hpp"

namespace baton {
namespace {

constexpr unsigned kBits = 254;

std::span<const std::byte> bytes_of(const std::vector<BigInt<4>>& scalars) {
  return std::as_bytes(std::span(scalars));
}

std::vector<BigInt<4>> random_scalars(std::size_t count) {
  std::mt19937_64 random(count);
  std::vector<BigInt<4>> scalars(count);
  for (auto& scalar : scalars) {
    scalar = random_below(Bn254::Fr::modulus(), random);
  }
  return scalars;
}

/// Every entry is in the bucket of its digit, with its sign, and every non-zero digit has one.
void expect_sorted(const BucketSort& sut, const DigitPlan& plan, unsigned window,
                   const std::vector<BigInt<4>>& scalars) {
  ASSERT_EQ(sut.starts().size(), plan.buckets() + 1);
  ASSERT_EQ(sut.starts().front(), 0U);
  ASSERT_EQ(sut.starts().back(), sut.entries().size());
  std::vector<bool> seen(scalars.size());
  for (std::size_t b = 0; b < plan.buckets(); ++b) {
    for (std::size_t i = sut.starts()[b]; i < sut.starts()[b + 1]; ++i) {
      const BucketEntry entry = sut.entries()[i];
      const std::int32_t digit = plan.digit(bytes_of(scalars).data() + kScalarBytes * entry.index(), window);
      ASSERT_EQ(static_cast<std::size_t>(std::abs(digit)), b + 1);
      ASSERT_EQ(entry.negative(), digit < 0);
      ASSERT_FALSE(seen[entry.index()]);
      seen[entry.index()] = true;
    }
  }
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    ASSERT_EQ(seen[i], plan.digit(bytes_of(scalars).data() + kScalarBytes * i, window) != 0);
  }
}

TEST(BucketSort, GroupsEveryNonZeroDigit) {
  BucketSort sut;
  for (const std::size_t count : {300U, 1U, 0U, 5000U}) {
    const auto scalars = random_scalars(count);
    const DigitPlan plan(7, kBits);
    for (unsigned window = 0; window < plan.windows(); ++window) {
      sut.sort(plan, window, bytes_of(scalars));
      expect_sorted(sut, plan, window, scalars);
    }
  }
}

TEST(BucketSort, ZerosTakeNoRoom) {
  BucketSort sut;
  sut.sort(DigitPlan(9, kBits), 0, bytes_of(std::vector<BigInt<4>>(1000)));
  EXPECT_TRUE(sut.entries().empty());
}

TEST(BucketSort, SubsetsGiveTheSameBucketsWhereTheRestIsZero) {
  auto scalars = random_scalars(20000);
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    if (i % 3 != 0) {
      scalars[i] = BigInt<4>::from_u64(i % 2);
    }
  }
  WideScalars wide;
  wide.find(bytes_of(scalars));
  ASSERT_FALSE(wide.most());
  const DigitPlan plan(11, kBits);
  BucketSort sut;
  sut.sort(plan, plan.windows() - 2, bytes_of(scalars), wide.indices());
  expect_sorted(sut, plan, plan.windows() - 2, scalars);
}

TEST(WideScalars, ListsThoseOfTwoToThe64AndMore) {
  std::vector<BigInt<4>> scalars(30000, BigInt<4>::from_u64(~std::uint64_t{0}));
  std::vector<std::uint32_t> expected;
  for (std::uint32_t i = 5; i < scalars.size(); i += 997) {
    scalars[i].limbs[1 + i % 3] = 1;
    expected.push_back(i);
  }
  WideScalars sut;
  sut.find(bytes_of(scalars));
  EXPECT_EQ(std::vector(sut.indices().begin(), sut.indices().end()), expected);
  EXPECT_EQ(sut.count(), expected.size());
  sut.find(bytes_of(random_scalars(100)));
  EXPECT_TRUE(sut.most());
  EXPECT_TRUE(sut.indices().empty());
  sut.find({});
  EXPECT_EQ(sut.count(), 0U);
}

}  // namespace
}  // namespace baton
