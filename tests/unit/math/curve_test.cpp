#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <random>
#include <vector>

#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "shared/math/curve_affine.hpp"
#include "shared/math/curve_xyzz.hpp"
#include "shared/math/scalar_mul.hpp"
#include "tests/unit/math/random_elements.hpp"

namespace baton {
namespace {

struct Bn254G1 {
  using Curve = Bn254;
  using Affine = Bn254::G1Affine;
  static Affine generator() { return Bn254::g1_generator(); }
  static Affine::Field b() { return Bn254::g1_b(); }
};
struct Bn254G2 {
  using Curve = Bn254;
  using Affine = Bn254::G2Affine;
  static Affine generator() { return Bn254::g2_generator(); }
  static Affine::Field b() { return Bn254::g2_b(); }
};
struct Bls12_381G1 {
  using Curve = Bls12_381;
  using Affine = Bls12_381::G1Affine;
  static Affine generator() { return Bls12_381::g1_generator(); }
  static Affine::Field b() { return Bls12_381::g1_b(); }
};
struct Bls12_381G2 {
  using Curve = Bls12_381;
  using Affine = Bls12_381::G2Affine;
  static Affine generator() { return Bls12_381::g2_generator(); }
  static Affine::Field b() { return Bls12_381::g2_b(); }
};

/// The sum by the chord and tangent rule, one inversion each: the reference.
template <class Affine>
Affine slow_sum(const Affine& a, const Affine& b) {
  if (a.is_infinity()) {
    return b;
  }
  if (b.is_infinity()) {
    return a;
  }
  if (a == -b) {
    return Affine::infinity();
  }
  const auto slope = a == b ? (a.x.square() + a.x.square().doubled()) * a.y.doubled().inverse()
                            : (b.y - a.y) * (b.x - a.x).inverse();
  const auto x = slope.square() - a.x - b.x;
  return {x, slope * (a.x - x) - a.y};
}

template <class Group>
class CurveTest : public ::testing::Test {
 protected:
  using Point = typename Group::Affine;
  using Sum = CurveXyzz<typename Point::Field>;

  /// O, P, -P, 2P, -2P, Q, P + Q: every exceptional case is among the pairs.
  static std::vector<Point> points() {
    const Point p = Group::generator();
    const Point two_p = slow_sum(p, p);
    Point q = p;
    for (int i = 0; i < 12; ++i) {
      q = slow_sum(slow_sum(q, q), p);
    }
    return {Point::infinity(), p, -p, two_p, -two_p, q, slow_sum(p, q)};
  }

  /// The point with denominators that are not one.
  static Sum scaled(const Point& point, std::uint64_t z) {
    using Coordinate = typename Point::Field;
    if (point.is_infinity()) {
      return Sum::infinity();
    }
    const Coordinate f = Coordinate::from_u64(z);
    return {point.x * f.square(), point.y * f.square() * f, f.square(), f.square() * f};
  }
};

using Groups = ::testing::Types<Bn254G1, Bn254G2, Bls12_381G1, Bls12_381G2>;
TYPED_TEST_SUITE(CurveTest, Groups);

TYPED_TEST(CurveTest, TheGeneratorIsOnItsCurveAndHasTheOrderOfTheScalarField) {
  const auto p = TypeParam::generator();
  EXPECT_TRUE(p.is_on_curve(TypeParam::b()));
  EXPECT_TRUE(p.is_reduced());
  EXPECT_FALSE(p.is_infinity());
  EXPECT_TRUE(scalar_mul(p, TypeParam::Curve::Fr::modulus()).is_infinity());
}

TYPED_TEST(CurveTest, MovedPointsAreOffTheCurveAndInfinityIsOnIt) {
  using Affine = typename TypeParam::Affine;
  const auto p = TypeParam::generator();
  const auto one = Affine::Field::one();
  EXPECT_FALSE((Affine{p.x + one, p.y}).is_on_curve(TypeParam::b()));
  EXPECT_FALSE((Affine{p.x, p.y + one}).is_on_curve(TypeParam::b()));
  EXPECT_FALSE((Affine{Affine::Field::zero(), one}).is_infinity());
  EXPECT_TRUE(Affine::infinity().is_on_curve(TypeParam::b()));
}

TYPED_TEST(CurveTest, SumsOfAllPairsAgreeWithTheChordAndTangentRule) {
  using Xyzz = typename CurveTest<TypeParam>::Sum;
  const auto points = this->points();
  for (const auto& a : points) {
    for (const auto& b : points) {
      const auto expected = slow_sum(a, b);
      ASSERT_EQ((Xyzz::from_affine(a) + b).to_affine(), expected);
      ASSERT_EQ((Xyzz::from_affine(a) - b).to_affine(), slow_sum(a, -b));
      ASSERT_EQ((this->scaled(a, 3) + b).to_affine(), expected);
      ASSERT_EQ((this->scaled(a, 3) + this->scaled(b, 5)).to_affine(), expected);
      ASSERT_EQ((this->scaled(a, 7) - this->scaled(b, 2)).to_affine(), slow_sum(a, -b));
    }
    EXPECT_EQ(Xyzz::doubled(a).to_affine(), slow_sum(a, a));
    EXPECT_EQ(this->scaled(a, 3).doubled().to_affine(), slow_sum(a, a));
    EXPECT_TRUE(slow_sum(a, a).is_on_curve(TypeParam::b()));
  }
}

TYPED_TEST(CurveTest, EqualityIgnoresDenominators) {
  const auto points = this->points();
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < points.size(); ++j) {
      EXPECT_EQ(this->scaled(points[i], 3) == this->scaled(points[j], 5), i == j);
    }
  }
}

TYPED_TEST(CurveTest, BatchConversionEqualsSingleConversionsWithInfinityAmongThem) {
  using Affine = typename TypeParam::Affine;
  const auto points = this->points();
  std::vector<typename CurveTest<TypeParam>::Sum> xyzz;
  for (std::size_t i = 0; i < points.size(); ++i) {
    xyzz.push_back(this->scaled(points[i], i + 2));
  }
  std::vector<Affine> affine(points.size());
  to_affine(std::span<const typename CurveTest<TypeParam>::Sum>(xyzz), std::span<Affine>(affine));
  EXPECT_EQ(affine, points);
}

TYPED_TEST(CurveTest, ScalarMultiplesAddUp) {
  using Fr = typename TypeParam::Curve::Fr;
  const auto p = TypeParam::generator();
  std::mt19937_64 random(7);
  for (int i = 0; i < 4; ++i) {
    const Fr a = random_element<Fr>(random);
    const Fr b = random_element<Fr>(random);
    const auto sum = scalar_mul(p, a.to_canonical()) + scalar_mul(p, b.to_canonical());
    EXPECT_EQ(scalar_mul(p, (a + b).to_canonical()), sum);
    EXPECT_EQ(scalar_mul(scalar_mul(p, a.to_canonical()), b.to_canonical()),
              scalar_mul(p, (a * b).to_canonical()));
  }
  EXPECT_TRUE(scalar_mul(p, BigInt<4>{}).is_infinity());
  EXPECT_EQ(scalar_mul(p, BigInt<1>::from_u64(1)).to_affine(), p);
  EXPECT_EQ(scalar_mul(p, (-Fr::one()).to_canonical()).to_affine(), -p);
}

TYPED_TEST(CurveTest, BytesComeBackAtAnyAlignmentAndInfinityIsAllZero) {
  using Affine = typename TypeParam::Affine;
  std::array<std::byte, Affine::kBytes + 1> bytes{};
  for (const Affine& point : this->points()) {
    point.store(bytes.data() + 1);
    EXPECT_EQ(Affine::load(bytes.data() + 1), point);
  }
  Affine::infinity().store(bytes.data() + 1);
  EXPECT_EQ(bytes, (std::array<std::byte, Affine::kBytes + 1>{}));
}

}  // namespace
}  // namespace baton
