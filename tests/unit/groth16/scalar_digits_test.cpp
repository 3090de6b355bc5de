#include "shared/groth16/scalar_digits.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

#include "shared/groth16/msm_plan.hpp"
#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "tests/unit/math/random_elements.hpp"

namespace baton {
namespace {

template <class Fr>
std::vector<BigInt<4>> scalars_to_cut() {
  std::mt19937_64 random(3);
  std::vector<BigInt<4>> scalars;
  for (const Fr& edge : edge_elements<Fr>()) {
    scalars.push_back(edge.to_canonical());
    scalars.push_back(edge.limbs());
  }
  const BigInt<4> half = shifted_right(Fr::modulus(), 1);
  scalars.push_back(half);
  scalars.push_back((Fr::from_canonical_unchecked(half) + Fr::one()).to_canonical());
  for (int i = 0; i < 50; ++i) {
    scalars.push_back(random_below(Fr::modulus(), random));
  }
  return scalars;
}

/// sum digit_i 2^(width i) in the field, which has no room for a wrong sum below the modulus.
template <class Fr>
Fr recomposed(const DigitPlan& plan, const BigInt<4>& scalar) {
  const auto* bytes = reinterpret_cast<const std::byte*>(scalar.limbs);
  const Fr base = Fr::from_u64(std::uint64_t{1} << plan.width());
  Fr sum = Fr::zero();
  for (unsigned window = plan.windows(); window != 0; --window) {
    const std::int32_t digit = plan.digit(bytes, window - 1);
    EXPECT_LE(static_cast<std::size_t>(std::abs(digit)), plan.buckets());
    const Fr magnitude = Fr::from_u64(static_cast<std::uint64_t>(std::abs(digit)));
    sum = sum * base + (digit < 0 ? -magnitude : magnitude);
  }
  return sum;
}

template <class Fr>
void expect_digits_recompose() {
  for (unsigned width = kMinDigitWidth; width <= kMaxDigitWidth; ++width) {
    const DigitPlan plan(width, Fr::Constants::kBits);
    for (const auto& scalar : scalars_to_cut<Fr>()) {
      ASSERT_EQ(recomposed<Fr>(plan, scalar), Fr::from_canonical_unchecked(scalar)) << "width " << width;
    }
  }
}

TEST(ScalarDigits, RecomposeToTheScalarForEveryWidth) {
  expect_digits_recompose<Bn254::Fr>();
  expect_digits_recompose<Bls12_381::Fr>();
}

TEST(ScalarDigits, NarrowScalarsHaveZeroDigitsAboveTheirWindows) {
  for (unsigned width = kMinDigitWidth; width <= kMaxDigitWidth; ++width) {
    const DigitPlan plan(width, Bn254::Fr::Constants::kBits);
    for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
      const auto scalar = BigInt<4>::from_u64(value);
      for (unsigned window = plan.windows_of_bits(kNarrowBits); window < plan.windows(); ++window) {
        ASSERT_EQ(plan.digit(reinterpret_cast<const std::byte*>(scalar.limbs), window), 0);
      }
    }
  }
}

TEST(ScalarDigits, PlansGrowWiderWithTheNumberOfScalars) {
  unsigned last = 0;
  for (unsigned log = 0; log <= 24; log += 4) {
    const std::size_t count = std::size_t{1} << log;
    const unsigned width = choose_digit_plan(count, count, 254).width();
    EXPECT_GE(width, last);
    last = width;
  }
  EXPECT_GE(last, 15U);
  EXPECT_LT(choose_digit_plan(std::size_t{1} << 20, 0, 254).windows_of_bits(kNarrowBits), 10U);
}

}  // namespace
}  // namespace baton
