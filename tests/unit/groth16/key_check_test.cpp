#include "shared/groth16/key_check.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/unit/groth16/toy_circuit.hpp"

namespace baton {
namespace {

template <class Curve>
class KeyCheckTest : public testing::Test {
 protected:
  using Span = std::span<const std::byte> ProvingKeyView::*;

  static const std::vector<std::pair<Span, std::string>>& sections() {
    static const std::vector<std::pair<Span, std::string>> kSections = {
        {&ProvingKeyView::a, "section 5 (A)"},
        {&ProvingKeyView::b1, "section 6 (B1)"},
        {&ProvingKeyView::b2, "section 7 (B2)"},
        {&ProvingKeyView::c, "section 8 (C)"},
        {&ProvingKeyView::h, "section 9 (H)"}};
    return kSections;
  }

  ToyCircuit<Curve> circuit_{9, 2, 1};
};

using Curves = testing::Types<Bn254, Bls12_381>;
TYPED_TEST_SUITE(KeyCheckTest, Curves);

TYPED_TEST(KeyCheckTest, AGoodKeyPassesBothChecks) {
  EXPECT_TRUE(check_key_points(this->circuit_.view(), PointCheck::kCurve).is_ok());
  EXPECT_TRUE(check_key_points(this->circuit_.view(), PointCheck::kSubgroup).is_ok());
}

TYPED_TEST(KeyCheckTest, PointsOffTheCurveAreNamedBySectionAndIndex) {
  for (const auto& [section, name] : this->sections()) {
    ProvingKeyView view = this->circuit_.view();
    const std::size_t count = section == &ProvingKeyView::h   ? view.domain_size
                              : section == &ProvingKeyView::c ? view.n_vars - view.n_public - 1
                                                              : view.n_vars;
    std::vector<std::byte> bytes((view.*section).begin(), (view.*section).end());
    const std::size_t point = bytes.size() / count;
    bytes[3 * point + 5] ^= std::byte{1};
    bytes[6 * point + 5] ^= std::byte{1};
    view.*section = bytes;
    const Status status = check_key_points(view, PointCheck::kCurve);
    EXPECT_EQ(status.code(), StatusCode::kInvalidInput);
    EXPECT_EQ(status.message(), name + ", point 3: the point is not on the curve");
  }
}

TYPED_TEST(KeyCheckTest, CoordinatesThatAreNotReducedAreRefused) {
  using Fq = typename TypeParam::Fq;
  ProvingKeyView view = this->circuit_.view();
  std::vector<std::byte> bytes(view.a.begin(), view.a.end());
  auto x = Fq::load(bytes.data()).limbs();
  add_with_carry(x, x, Fq::modulus());
  std::memcpy(bytes.data(), &x, sizeof x);
  view.a = bytes;
  EXPECT_EQ(check_key_points(view, PointCheck::kCurve).message(),
            "section 5 (A), point 0: a coordinate is not below q");
}

/// Some point of the twist whose order is not r: its cofactor is large, so the first one found will do.
template <class Curve>
typename Curve::G2Affine point_outside_g2() {
  using Fq = typename Curve::Fq;
  using Fq2 = typename Curve::Fq2;
  // q = 3 modulo 4: square roots in Fq2 by the complex method.
  auto quarter = shifted_right(Fq::modulus(), 2);
  add_with_carry(quarter, quarter, Fq::Int::from_u64(1));
  const Fq half = Fq::from_u64(2).inverse();
  for (std::uint64_t i = 1;; ++i) {
    const Fq2 x{Fq::from_u64(i), Fq::one()};
    const Fq2 square = x.square() * x + Curve::g2_b();
    const Fq norm = (square.c0.square() + square.c1.square()).pow(quarter);
    for (const Fq& root : {norm, -norm}) {
      const Fq c0 = ((square.c0 + root) * half).pow(quarter);
      const Fq2 y{c0, square.c1 * half * c0.inverse()};
      if (y.square() == square) {
        return {x, y};
      }
    }
  }
}

TYPED_TEST(KeyCheckTest, PointsOutsideTheSubgroupAreFoundByTheSubgroupCheckOnly) {
  ProvingKeyView view = this->circuit_.view();
  std::vector<std::byte> bytes(view.b2.begin(), view.b2.end());
  const auto point = point_outside_g2<TypeParam>();
  point.store(bytes.data() + 2 * TypeParam::G2Affine::kBytes);
  view.b2 = bytes;
  EXPECT_TRUE(check_key_points(view, PointCheck::kCurve).is_ok());
  EXPECT_EQ(check_key_points(view, PointCheck::kSubgroup).message(),
            "section 7 (B2), point 2: the point is not in the subgroup of order r");
}

}  // namespace
}  // namespace baton
