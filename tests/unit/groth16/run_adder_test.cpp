#include "shared/groth16/run_adder.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "shared/math/scalar_mul.hpp"

namespace baton {
namespace {

template <class Xyzz>
class RunAdderTest : public testing::Test {
 protected:
  using Affine = typename Xyzz::Affine;

  static Affine generator() {
    if constexpr (std::is_same_v<Xyzz, Bn254::G1Xyzz>) {
      return Bn254::g1_generator();
    } else if constexpr (std::is_same_v<Xyzz, Bn254::G2Xyzz>) {
      return Bn254::g2_generator();
    } else if constexpr (std::is_same_v<Xyzz, Bls12_381::G1Xyzz>) {
      return Bls12_381::g1_generator();
    } else {
      return Bls12_381::g2_generator();
    }
  }

  static Affine multiple(std::uint64_t factor) {
    return scalar_mul(generator(), BigInt<1>::from_u64(factor)).to_affine();
  }

  /// Sums each run with the adder and with complete formulas.
  void expect_sums(const std::vector<std::vector<Affine>>& runs) {
    sut_.clear();
    for (const auto& run : runs) {
      sut_.begin_run();
      for (const Affine& point : run) {
        sut_.push(point);
      }
    }
    sut_.reduce();
    ASSERT_EQ(sut_.run_count(), runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
      Xyzz sum = Xyzz::infinity();
      for (const Affine& point : runs[i]) {
        sum += point;
      }
      EXPECT_EQ(sut_.sum(i), sum.to_affine()) << "run " << i;
    }
  }

  RunAdder<Affine> sut_;
};

using Groups = testing::Types<Bn254::G1Xyzz, Bn254::G2Xyzz, Bls12_381::G1Xyzz, Bls12_381::G2Xyzz>;
TYPED_TEST_SUITE(RunAdderTest, Groups);

TYPED_TEST(RunAdderTest, AllPairsOfSpecialPointsAddUp) {
  const auto p = this->multiple(5);
  const auto infinity = decltype(p)::infinity();
  const std::vector special{infinity, p, -p, this->multiple(10), -this->multiple(10), this->multiple(7)};
  std::vector<std::vector<std::remove_const_t<decltype(p)>>> runs;
  for (const auto& a : special) {
    for (const auto& b : special) {
      runs.push_back({a, b});
      for (const auto& c : special) {
        runs.push_back({a, b, c, a});
      }
    }
  }
  this->expect_sums(runs);
}

TYPED_TEST(RunAdderTest, RunsOfEveryLengthAddUp) {
  std::vector<std::vector<typename TypeParam::Affine>> runs(41);
  for (std::size_t length = 0; length < runs.size(); ++length) {
    for (std::size_t i = 0; i < length; ++i) {
      runs[length].push_back(this->multiple(length * 100 + i * i + 1));
    }
  }
  this->expect_sums(runs);
}

TYPED_TEST(RunAdderTest, RunsOfEqualAndOppositePointsAddUp) {
  const auto p = this->multiple(3);
  std::vector<std::vector<typename TypeParam::Affine>> runs;
  for (std::size_t length = 1; length < 70; length += 11) {
    runs.emplace_back(length, p);
    runs.emplace_back();
    for (std::size_t i = 0; i < length; ++i) {
      runs.back().push_back(i % 2 == 0 ? p : -p);
    }
  }
  this->expect_sums(runs);
}

TYPED_TEST(RunAdderTest, NegativePointsCountAsTheirOpposites) {
  const auto infinity = decltype(this->multiple(1))::infinity();
  this->sut_.clear();
  this->sut_.begin_run();
  this->sut_.push(this->multiple(9), true);
  this->sut_.begin_run();
  this->sut_.push(this->multiple(9));
  this->sut_.push(this->multiple(2), true);
  this->sut_.push(infinity, true);
  this->sut_.reduce();
  EXPECT_EQ(this->sut_.sum(0), -this->multiple(9));
  EXPECT_EQ(this->sut_.sum(1), this->multiple(7));
}

TYPED_TEST(RunAdderTest, FullCapacityInOneRunAddsUp) {
  using Adder = RunAdder<typename TypeParam::Affine>;
  const auto p = this->multiple(9);
  this->sut_.clear();
  this->sut_.begin_run();
  for (std::size_t i = 0; i < Adder::kCapacity; ++i) {
    this->sut_.push(p);
  }
  EXPECT_EQ(this->sut_.room(), 0U);
  this->sut_.reduce();
  EXPECT_EQ(this->sut_.sum(0), this->multiple(9 * Adder::kCapacity));
}

}  // namespace
}  // namespace baton
