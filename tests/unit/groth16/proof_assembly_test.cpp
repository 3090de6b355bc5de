#include "shared/groth16/proof_assembly.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <variant>

#include "shared/formats/prime_field.hpp"
#include "shared/math/scalar_mul.hpp"
#include "tests/unit/math/random_elements.hpp"

namespace baton {
namespace {

template <class Curve>
class ProofAssemblyTest : public testing::Test {
 protected:
  using Scalar = typename Curve::Fr;

  static typename Curve::G1Affine g1(const Scalar& k) {
    return scalar_mul(Curve::g1_generator(), k.to_canonical()).to_affine();
  }
  static typename Curve::G2Affine g2(const Scalar& k) {
    return scalar_mul(Curve::g2_generator(), k.to_canonical()).to_affine();
  }
  static G1Bytes g1_stored(const Scalar& k) {
    G1Bytes bytes{};
    g1(k).store(bytes.data());
    return bytes;
  }
  static G2Bytes g2_stored(const Scalar& k) {
    G2Bytes bytes{};
    g2(k).store(bytes.data());
    return bytes;
  }
  static std::array<std::byte, 32> plain(const Scalar& k) {
    std::array<std::byte, 32> bytes{};
    const auto limbs = k.to_canonical();
    std::memcpy(bytes.data(), limbs.limbs, bytes.size());
    return bytes;
  }

  Scalar random_scalar() { return random_element<Scalar>(random_); }

  /// Assembles from secrets, and compares with the formulas in the exponent.
  void expect_formulas(const Scalar& r, const Scalar& s, const Scalar& sum_a, const Scalar& sum_b,
                       const Scalar& sum_ch) {
    const Scalar alpha = random_scalar();
    const Scalar beta = random_scalar();
    const Scalar delta = random_scalar();
    ProvingKeyHeader key;
    key.curve = Curve::kId;
    key.alpha1 = g1_stored(alpha);
    key.beta1 = g1_stored(beta);
    key.beta2 = g2_stored(beta);
    key.delta1 = g1_stored(delta);
    key.delta2 = g2_stored(delta);
    const ProofSums sums = {g1_stored(sum_a), g1_stored(sum_b), g1_stored(sum_ch), g2_stored(sum_b)};
    const auto result = assemble_proof(key, sums, {plain(r), plain(s)});
    ASSERT_TRUE(result.is_ok());
    const auto& proof = std::get<Proof<Curve>>(result.value());
    const Scalar a = alpha + sum_a + r * delta;
    const Scalar b = beta + sum_b + s * delta;
    EXPECT_EQ(proof.a, g1(a));
    EXPECT_EQ(proof.b, g2(b));
    EXPECT_EQ(proof.c, g1(sum_ch + s * a + r * b - r * s * delta));
  }

  std::mt19937_64 random_{17};
};

using Curves = testing::Types<Bn254, Bls12_381>;
TYPED_TEST_SUITE(ProofAssemblyTest, Curves);

TYPED_TEST(ProofAssemblyTest, FollowsTheFormulas) {
  using Fr = typename TypeParam::Fr;
  const Fr zero = Fr::zero();
  const auto any = [this] { return this->random_scalar(); };
  this->expect_formulas(any(), any(), any(), any(), any());
  this->expect_formulas(zero, zero, any(), any(), any());
  this->expect_formulas(zero, any(), any(), zero, any());
  this->expect_formulas(-Fr::one(), -Fr::one(), zero, zero, zero);
}

TYPED_TEST(ProofAssemblyTest, BlindingThatIsNotBelowTheOrderIsRefused) {
  using Fr = typename TypeParam::Fr;
  ProvingKeyHeader key;
  key.curve = TypeParam::kId;
  Blinding blinding;
  const auto order = Fr::modulus();
  std::memcpy(blinding.s.data(), order.limbs, blinding.s.size());
  EXPECT_EQ(assemble_proof(key, {}, blinding).status().code(), StatusCode::kInvalidInput);
}

TYPED_TEST(ProofAssemblyTest, RandomBlindingFillsTheWholeField) {
  using Fr = typename TypeParam::Fr;
  const auto order = Fr::modulus();
  // A quarter of all draws lie in each quarter of the field; 400 draws miss one with probability 4 e^-115.
  std::array<int, 4> quarters{};
  for (int i = 0; i < 200; ++i) {
    const Blinding blinding = random_blinding(TypeParam::kId).value();
    for (const auto* scalar : {&blinding.r, &blinding.s}) {
      const auto value = load_integer<4>(scalar->data());
      ASSERT_LT(value, order);
      const auto quarter = value.limbs[3] / (order.limbs[3] / 4 + 1);
      ++quarters[std::min<std::size_t>(quarter, 3)];
    }
    EXPECT_NE(blinding.r, blinding.s);
  }
  EXPECT_GT(*std::min_element(quarters.begin(), quarters.end()), 30);
}

}  // namespace
}  // namespace baton
