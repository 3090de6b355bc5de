#include <gtest/gtest.h>

#include <random>

#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "shared/math/fp12.hpp"
#include "shared/math/fp6.hpp"
#include "tests/unit/math/random_elements.hpp"

namespace baton {
namespace {

template <class Curve>
class TowerTest : public ::testing::Test {
 protected:
  typename Curve::Fq2 random_fq2() {
    return {random_element<typename Curve::Fq>(random_), random_element<typename Curve::Fq>(random_)};
  }
  Fp6<Curve> random_fq6() { return {random_fq2(), random_fq2(), random_fq2()}; }
  Fp12<Curve> random_fq12() { return {random_fq6(), random_fq6()}; }

  /// An element of the cyclotomic subgroup.
  Fp12<Curve> random_cyclotomic() {
    const Fp12<Curve> f = random_fq12();
    const Fp12<Curve> g = f.conjugate() * f.inverse();
    return g.frobenius().frobenius() * g;
  }

  std::mt19937_64 random_{99};
};

using Curves = ::testing::Types<Bn254, Bls12_381>;
TYPED_TEST_SUITE(TowerTest, Curves);

TYPED_TEST(TowerTest, XiIsNeitherSquareNorCube) {
  using Fq2 = typename TypeParam::Fq2;
  const Fq2 xi = TypeParam::xi();
  EXPECT_EQ(TypeParam::mul_by_xi(Fq2::one()), xi);
  const Fq2 sixth = Frobenius<TypeParam>::kGamma[1];
  // xi^((q^2 - 1) / k) = (xi^((q - 1) / 6))^((q + 1) 6 / k): the norm of gamma[6 / k].
  EXPECT_NE(Frobenius<TypeParam>::kGamma[3] * Frobenius<TypeParam>::kGamma[3].conjugate(), Fq2::one());
  EXPECT_NE(Frobenius<TypeParam>::kGamma[2] * Frobenius<TypeParam>::kGamma[2].conjugate(), Fq2::one());
  EXPECT_EQ(sixth * Frobenius<TypeParam>::kGamma[5], xi.conjugate() * xi.inverse());
}

TYPED_TEST(TowerTest, Fp6ProductsAgreeWithTheSchoolbookRule) {
  for (int i = 0; i < 20; ++i) {
    const auto a = this->random_fq6();
    const auto b = this->random_fq6();
    const auto xi = TypeParam::xi();
    const Fp6<TypeParam> expected{a.c0 * b.c0 + xi * (a.c1 * b.c2 + a.c2 * b.c1),
                                  a.c0 * b.c1 + a.c1 * b.c0 + xi * (a.c2 * b.c2),
                                  a.c0 * b.c2 + a.c1 * b.c1 + a.c2 * b.c0};
    EXPECT_EQ(a * b, expected);
    EXPECT_EQ(a.square(), a * a);
    EXPECT_EQ(a * a.inverse(), Fp6<TypeParam>::one());
  }
}

TYPED_TEST(TowerTest, SparseProductsEqualFullOnes) {
  using Fq2 = typename TypeParam::Fq2;
  const Fq2 zero = Fq2::zero();
  for (int i = 0; i < 20; ++i) {
    const auto a = this->random_fq6();
    const auto f = this->random_fq12();
    const Fq2 x = this->random_fq2();
    const Fq2 y = this->random_fq2();
    const Fq2 z = this->random_fq2();
    EXPECT_EQ(a.times_v(), (a * Fp6<TypeParam>{zero, Fq2::one(), zero}));
    EXPECT_EQ(a.times_01(x, y), (a * Fp6<TypeParam>{x, y, zero}));
    EXPECT_EQ(a.times_1(x), (a * Fp6<TypeParam>{zero, x, zero}));
    EXPECT_EQ(f.times_034(x, y, z), (f * Fp12<TypeParam>{{x, zero, zero}, {y, z, zero}}));
    EXPECT_EQ(f.times_014(x, y, z), (f * Fp12<TypeParam>{{x, y, zero}, {zero, z, zero}}));
  }
}

TYPED_TEST(TowerTest, Fp12ProductsAreAssociativeAndDistributive) {
  for (int i = 0; i < 20; ++i) {
    const auto a = this->random_fq12();
    const auto b = this->random_fq12();
    const auto c = this->random_fq12();
    EXPECT_EQ((a * b) * c, a * (b * c));
    const Fp12<TypeParam> sum{b.c0 + c.c0, b.c1 + c.c1};
    const auto ab = a * b;
    const auto ac = a * c;
    EXPECT_EQ(a * sum, (Fp12<TypeParam>{ab.c0 + ac.c0, ab.c1 + ac.c1}));
    EXPECT_EQ(a.square(), a * a);
    EXPECT_EQ(a * a.inverse(), Fp12<TypeParam>::one());
  }
}

TYPED_TEST(TowerTest, FrobeniusIsThePowerOfTheCharacteristic) {
  const auto a = this->random_fq12();
  EXPECT_EQ(a.frobenius(), a.pow(TypeParam::Fq::modulus()));
  auto sixth = a;
  for (int i = 0; i < 6; ++i) {
    sixth = sixth.frobenius();
  }
  EXPECT_EQ(sixth, a.conjugate());
}

TYPED_TEST(TowerTest, CyclotomicSquaresEqualFullOnesInTheCyclotomicSubgroup) {
  for (int i = 0; i < 20; ++i) {
    const auto a = this->random_cyclotomic();
    EXPECT_EQ(a.cyclotomic_square(), a * a);
    EXPECT_EQ(a * a.conjugate(), Fp12<TypeParam>::one());
  }
}

}  // namespace
}  // namespace baton
