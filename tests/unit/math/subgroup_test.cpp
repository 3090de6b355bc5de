#include "shared/math/subgroup.hpp"

#include <gtest/gtest.h>

#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "shared/math/scalar_mul.hpp"
#include "tests/unit/math/curve_points.hpp"

namespace baton {
namespace {

struct Bn254G1 {
  using Curve = Bn254;
  static constexpr bool kHasCofactor = false;
  static auto generator() { return Bn254::g1_generator(); }
  static auto b() { return Bn254::g1_b(); }
  static bool contains(const Bn254::G1Affine& p) { return is_in_g1<Bn254>(p); }
};
struct Bn254G2 {
  using Curve = Bn254;
  static constexpr bool kHasCofactor = true;
  static auto generator() { return Bn254::g2_generator(); }
  static auto b() { return Bn254::g2_b(); }
  static bool contains(const Bn254::G2Affine& p) { return is_in_g2<Bn254>(p); }
};
struct Bls12_381G1 {
  using Curve = Bls12_381;
  static constexpr bool kHasCofactor = true;
  static auto generator() { return Bls12_381::g1_generator(); }
  static auto b() { return Bls12_381::g1_b(); }
  static bool contains(const Bls12_381::G1Affine& p) { return is_in_g1<Bls12_381>(p); }
};
struct Bls12_381G2 {
  using Curve = Bls12_381;
  static constexpr bool kHasCofactor = true;
  static auto generator() { return Bls12_381::g2_generator(); }
  static auto b() { return Bls12_381::g2_b(); }
  static bool contains(const Bls12_381::G2Affine& p) { return is_in_g2<Bls12_381>(p); }
};

template <class Group>
class SubgroupTest : public ::testing::Test {};
using Groups = ::testing::Types<Bn254G1, Bn254G2, Bls12_381G1, Bls12_381G2>;
TYPED_TEST_SUITE(SubgroupTest, Groups);

TYPED_TEST(SubgroupTest, MultiplesOfTheGeneratorAndInfinityAreIn) {
  const auto g = TypeParam::generator();
  EXPECT_TRUE(TypeParam::contains(g));
  EXPECT_TRUE(TypeParam::contains(-g));
  EXPECT_TRUE(TypeParam::contains(decltype(-g)::infinity()));
  for (const std::uint64_t k : {2U, 3U, 1000003U}) {
    EXPECT_TRUE(TypeParam::contains(scalar_mul(g, BigInt<1>::from_u64(k)).to_affine()));
  }
}

TYPED_TEST(SubgroupTest, TheFastTestSaysWhatMultiplicationByTheOrderSays) {
  const auto order = TypeParam::Curve::Fr::modulus();
  int outside = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto point = some_curve_point(TypeParam::b(), seed);
    ASSERT_TRUE(point.is_on_curve(TypeParam::b()));
    const bool is_in = scalar_mul(point, order).is_infinity();
    EXPECT_EQ(TypeParam::contains(point), is_in);
    outside += is_in ? 0 : 1;
  }
  EXPECT_EQ(outside > 0, TypeParam::kHasCofactor);
}

template <class Group>
class CofactorTest : public ::testing::Test {};
using GroupsWithCofactor = ::testing::Types<Bn254G2, Bls12_381G1, Bls12_381G2>;
TYPED_TEST_SUITE(CofactorTest, GroupsWithCofactor);

TYPED_TEST(CofactorTest, PointsOfCofactorOrderAreOutAloneAndAddedToOthers) {
  const auto order = TypeParam::Curve::Fr::modulus();
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto cofactor_part = scalar_mul(some_curve_point(TypeParam::b(), seed), order);
    ASSERT_FALSE(cofactor_part.is_infinity());
    EXPECT_FALSE(TypeParam::contains(cofactor_part.to_affine()));
    EXPECT_FALSE(TypeParam::contains((cofactor_part + TypeParam::generator()).to_affine()));
  }
}

}  // namespace
}  // namespace baton
