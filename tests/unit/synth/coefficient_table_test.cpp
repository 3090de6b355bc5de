#include "synth-worker/coefficient_table.hpp"

#include <gtest/gtest.h>

#include "shared/math/bn254_params.hpp"
#include "shared/math/fp.hpp"
#include "synth-worker/constraint_matrix.hpp"

namespace baton {
namespace {

using Fr = Fp<Bn254FrParams>;

TEST(CoefficientTable, begins_with_one_and_minus_one) {
  CoefficientTable table(CurveId::kBn254, 1);
  ASSERT_EQ(table.values().size(), 2U);
  const Fr one = Fr::from_montgomery_limbs(table.values()[kCoefficientOne]);
  const Fr minus_one = Fr::from_montgomery_limbs(table.values()[kCoefficientMinusOne]);
  EXPECT_TRUE((one + minus_one).is_zero());
  EXPECT_TRUE(Fr::from_montgomery_limbs(one.to_canonical()) == Fr::one());
  EXPECT_EQ(table.number_of(one.limbs()), kCoefficientOne);
  EXPECT_EQ(table.number_of(minus_one.limbs()), kCoefficientMinusOne);
}

TEST(CoefficientTable, numbers_values_by_first_appearance_whatever_the_seed) {
  constexpr std::uint32_t kValues = 5000;
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    CoefficientTable table(CurveId::kBls12_381, seed);
    for (int pass = 0; pass < 2; ++pass) {
      for (std::uint32_t i = 0; i < kValues; ++i) {
        ASSERT_EQ(table.number_of(BigInt<4>{{i, 0, i / 7, 0}}), i + 2);
      }
    }
    EXPECT_EQ(table.values().size(), kValues + 2);
  }
}

}  // namespace
}  // namespace baton
