#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "cuda/msm/groups.hpp"
#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "shared/math/scalar_mul.hpp"

namespace baton {
namespace {

template <class G, class Point>
struct Case {
  using Group = G;
  using Reference = Point;
};

template <class C>
class PointTest : public testing::Test {
 public:
  using Group = typename C::Group;
  using Reference = typename C::Reference;
  using Field = typename Reference::Field;
  using Affine = GroupAffine<Group>;
  using Xyzz = GroupXyzz<Group>;
  using ReferenceXyzz = CurveXyzz<Field>;

  static Affine to_device(const Reference& p) {
    Affine r;
    static_assert(sizeof r == sizeof p);
    std::memcpy(&r, &p, sizeof r);
    return r;
  }
  static Reference to_host(const Affine& p) {
    return Reference::load(reinterpret_cast<const std::byte*>(&p));
  }

  static Reference generator() {
    if constexpr (std::is_same_v<Reference, Bn254::G1Affine>) {
      return Bn254::g1_generator();
    } else if constexpr (std::is_same_v<Reference, Bn254::G2Affine>) {
      return Bn254::g2_generator();
    } else if constexpr (std::is_same_v<Reference, Bls12_381::G1Affine>) {
      return Bls12_381::g1_generator();
    } else {
      return Bls12_381::g2_generator();
    }
  }

  /// O, P, -P, 2P, Q, and P with another denominator (see scaled()).
  static std::vector<Reference> points() {
    const Reference p = scalar_mul(generator(), BigInt<4>::from_u64(0x123456789)).to_affine();
    const Reference q = scalar_mul(generator(), BigInt<4>::from_u64(987654321)).to_affine();
    return {Reference::infinity(), p, -p, ReferenceXyzz::doubled(p).to_affine(), q};
  }

  /// The same point with ZZ = s^2, ZZZ = s^3.
  static Xyzz scaled(const Reference& p, std::uint64_t s) {
    if (p.is_infinity()) {
      return Xyzz::infinity();
    }
    const Field f = Field::from_u64(s);
    const Field zz = f.square();
    const Field zzz = zz * f;
    const ReferenceXyzz r{p.x * zz, p.y * zzz, zz, zzz};
    Xyzz out;
    static_assert(sizeof out == sizeof r);
    std::memcpy(&out, &r, sizeof out);
    return out;
  }
};

using Cases =
    testing::Types<Case<Bn254G1Group, Bn254::G1Affine>, Case<Bn254G2Group, Bn254::G2Affine>,
                   Case<Bls12_381G1Group, Bls12_381::G1Affine>, Case<Bls12_381G2Group, Bls12_381::G2Affine>>;
TYPED_TEST_SUITE(PointTest, Cases);

TYPED_TEST(PointTest, EveryPairOfSpecialPointsAddsLikeTheReference) {
  using T = PointTest<TypeParam>;
  for (const auto& a : T::points()) {
    for (const auto& b : T::points()) {
      const auto expected = (T::ReferenceXyzz::from_affine(a) + b).to_affine();
      for (const std::uint64_t scale : {1U, 77U}) {
        auto mixed = T::scaled(a, scale);
        device::add_affine(mixed, T::to_device(b));
        EXPECT_EQ(T::to_host(device::to_affine(mixed)), expected);
        auto full = T::scaled(a, scale);
        device::add_inline(full, T::scaled(b, 5));
        EXPECT_EQ(T::to_host(device::to_affine(full)), expected);
      }
    }
  }
}

TYPED_TEST(PointTest, DoublesLikeTheReference) {
  using T = PointTest<TypeParam>;
  for (const auto& a : T::points()) {
    const auto expected = (T::ReferenceXyzz::from_affine(a) + a).to_affine();
    EXPECT_EQ(T::to_host(device::to_affine(device::doubled(T::scaled(a, 9)))), expected);
    if (!a.is_infinity()) {
      EXPECT_EQ(T::to_host(device::to_affine(device::doubled_affine(T::to_device(a)))), expected);
    }
  }
}

TYPED_TEST(PointTest, LongChainsKeepTheirIntervals) {
  using T = PointTest<TypeParam>;
  const auto points = T::points();
  auto lazy = T::scaled(points[4], 3);
  auto reference = T::ReferenceXyzz::from_affine(points[4]);
  for (int i = 0; i < 300; ++i) {
    device::add_affine_unchecked(lazy, T::to_device(points[1]));
    reference = reference + points[1];
    lazy = device::doubled_inline(lazy);
    reference = reference.doubled();
  }
  EXPECT_EQ(T::to_host(device::to_affine(lazy)), reference.to_affine());
}

}  // namespace
}  // namespace baton
