#include "shared/math/fp2.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "tests/unit/math/random_elements.hpp"

namespace baton {
namespace {

template <class Curve>
class Fp2Test : public ::testing::Test {
 protected:
  static std::vector<typename Curve::Fq2> samples() {
    using Fq = typename Curve::Fq;
    using Fq2 = typename Curve::Fq2;
    std::mt19937_64 random(11);
    std::vector<Fq2> values;
    const std::vector<Fq> edges = edge_elements<Fq>();
    for (std::size_t i = 0; i < edges.size(); ++i) {
      values.push_back({edges[i], edges[edges.size() - 1 - i]});
      values.push_back({edges[i], random_element<Fq>(random)});
    }
    values.push_back(Fq2::zero());
    values.push_back(Fq2::one());
    values.push_back({Fq::zero(), Fq::one()});
    values.push_back({-Fq::one(), -Fq::one()});
    return values;
  }
};

using Curves = ::testing::Types<Bn254, Bls12_381>;
TYPED_TEST_SUITE(Fp2Test, Curves);

TYPED_TEST(Fp2Test, ProductsAgreeWithTheSchoolbookRule) {
  using Fq2 = typename TypeParam::Fq2;
  for (const Fq2& a : this->samples()) {
    for (const Fq2& b : this->samples()) {
      const Fq2 expected{a.c0 * b.c0 - a.c1 * b.c1, a.c0 * b.c1 + a.c1 * b.c0};
      ASSERT_EQ(a * b, expected);
    }
    EXPECT_EQ(a.square(), a * a);
    EXPECT_EQ(a.doubled(), a + a);
  }
}

TYPED_TEST(Fp2Test, SumsOfProductsAreReducedAtTheLargestOperands) {
  using Fq = typename TypeParam::Fq;
  for (const Fq& a : edge_elements<Fq>()) {
    for (const Fq& b : edge_elements<Fq>()) {
      ASSERT_EQ(Fq::sum_of_products(a, b, b, b), a * b + b * b);
      ASSERT_EQ(Fq::sum_of_products(a, a, a, b), a * a + a * b);
    }
  }
}

TYPED_TEST(Fp2Test, InverseUndoesMultiplicationAndZeroStaysZero) {
  using Fq2 = typename TypeParam::Fq2;
  for (const Fq2& a : this->samples()) {
    EXPECT_EQ(a * a.inverse(), a.is_zero() ? Fq2::zero() : Fq2::one());
  }
}

TYPED_TEST(Fp2Test, ConjugationIsThePowerOfTheCharacteristic) {
  using Fq2 = typename TypeParam::Fq2;
  for (const Fq2& a : this->samples()) {
    EXPECT_EQ(a.pow(TypeParam::Fq::modulus()), a.conjugate());
  }
}

}  // namespace
}  // namespace baton
