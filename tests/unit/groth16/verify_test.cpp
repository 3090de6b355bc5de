#include "shared/groth16/verify.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "shared/math/scalar_mul.hpp"
#include "tests/unit/math/curve_points.hpp"
#include "tests/unit/math/random_elements.hpp"

namespace baton {
namespace {

/// A key with known secrets, so that valid proofs can be made up for any public signals.
template <class Curve>
class VerifyTest : public ::testing::Test {
 protected:
  using Scalar = typename Curve::Fr;

  static typename Curve::G1Affine g1(const Scalar& k) {
    return scalar_mul(Curve::g1_generator(), k.to_canonical()).to_affine();
  }
  static typename Curve::G2Affine g2(const Scalar& k) {
    return scalar_mul(Curve::g2_generator(), k.to_canonical()).to_affine();
  }
  Scalar random_scalar() { return random_element<Scalar>(random_); }

  void make_key(std::size_t public_count) {
    key_ = {g1(alpha_), g2(beta_), g2(gamma_), g2(delta_), {}};
    for (std::size_t i = 0; i <= public_count; ++i) {
      ic_.push_back(random_scalar());
      key_.ic.push_back(g1(ic_.back()));
    }
  }

  Proof<Curve> make_proof(const std::vector<Scalar>& signals) {
    Scalar vk_x = ic_[0];
    for (std::size_t i = 0; i < signals.size(); ++i) {
      vk_x += signals[i] * ic_[i + 1];
    }
    const Scalar a = random_scalar();
    const Scalar b = random_scalar();
    const Scalar c = (a * b - alpha_ * beta_ - vk_x * gamma_) * delta_.inverse();
    return {g1(a), g2(b), g1(c)};
  }

  Verdict verdict(const Proof<Curve>& proof, const std::vector<Scalar>& signals) {
    return Verifier<Curve>::create(key_).value().verify(proof, signals).value();
  }

  std::mt19937_64 random_{123};
  Scalar alpha_ = random_scalar();
  Scalar beta_ = random_scalar();
  Scalar gamma_ = random_scalar();
  Scalar delta_ = random_scalar();
  std::vector<Scalar> ic_;
  VerificationKey<Curve> key_;
};

using Curves = ::testing::Types<Bn254, Bls12_381>;
TYPED_TEST_SUITE(VerifyTest, Curves);

TYPED_TEST(VerifyTest, ProofsForTheirSignalsAreValid) {
  using Fr = typename TypeParam::Fr;
  this->make_key(3);
  for (const auto& signals :
       std::vector<std::vector<Fr>>{{this->random_scalar(), this->random_scalar(), this->random_scalar()},
                                    {Fr::zero(), Fr::one(), -Fr::one()},
                                    {Fr::zero(), Fr::zero(), Fr::zero()}}) {
    const Verdict verdict = this->verdict(this->make_proof(signals), signals);
    EXPECT_TRUE(verdict.valid) << verdict.reason;
  }
}

TYPED_TEST(VerifyTest, AKeyWithoutPublicSignalsWorks) {
  this->make_key(0);
  EXPECT_TRUE(this->verdict(this->make_proof({}), {}).valid);
}

TYPED_TEST(VerifyTest, ManyPublicSignalsWork) {
  this->make_key(40);
  std::vector<typename TypeParam::Fr> signals;
  for (int i = 0; i < 40; ++i) {
    signals.push_back(i % 2 == 0 ? TypeParam::Fr::from_u64(static_cast<std::uint64_t>(i))
                                 : this->random_scalar());
  }
  const auto proof = this->make_proof(signals);
  EXPECT_TRUE(this->verdict(proof, signals).valid);
  std::swap(signals[3], signals[5]);
  EXPECT_FALSE(this->verdict(proof, signals).valid);
}

TYPED_TEST(VerifyTest, AnotherSignalOrAnotherPointMakesTheProofInvalid) {
  using Fr = typename TypeParam::Fr;
  this->make_key(1);
  const auto proof = this->make_proof({Fr::from_u64(33)});
  EXPECT_FALSE(this->verdict(proof, {Fr::from_u64(34)}).valid);
  auto other = proof;
  other.a = -proof.a;
  EXPECT_FALSE(this->verdict(other, {Fr::from_u64(33)}).valid);
  other.b = -proof.b;
  EXPECT_TRUE(this->verdict(other, {Fr::from_u64(33)}).valid);
  other = proof;
  other.c = TypeParam::G1Affine::infinity();
  EXPECT_FALSE(this->verdict(other, {Fr::from_u64(33)}).valid);
}

TYPED_TEST(VerifyTest, PointsOffTheCurveOrNotReducedMakeTheProofInvalid) {
  using Fq = typename TypeParam::Fq;
  this->make_key(1);
  const std::vector<typename TypeParam::Fr> signals{TypeParam::Fr::one()};
  const auto proof = this->make_proof(signals);
  auto broken = proof;
  broken.a.x = broken.a.x + Fq::one();
  EXPECT_EQ(this->verdict(broken, signals).reason, "pi_a is not a point of G1");
  broken = proof;
  broken.c.y = Fq::from_montgomery_limbs(Fq::modulus());
  EXPECT_EQ(this->verdict(broken, signals).reason, "pi_c is not a point of G1");
  broken = proof;
  broken.b.y.c1 = -broken.b.y.c1;
  EXPECT_EQ(this->verdict(broken, signals).reason, "pi_b is not a point of G2");
}

TYPED_TEST(VerifyTest, PartsOfCofactorOrderMakeTheProofInvalid) {
  const auto order = TypeParam::Fr::modulus();
  this->make_key(1);
  const std::vector<typename TypeParam::Fr> signals{TypeParam::Fr::one()};
  auto proof = this->make_proof(signals);
  const auto in_twist = scalar_mul(some_curve_point(TypeParam::g2_b(), 1), order);
  ASSERT_FALSE(in_twist.is_infinity());
  auto moved = proof;
  moved.b = (in_twist + proof.b).to_affine();
  EXPECT_EQ(this->verdict(moved, signals).reason, "pi_b is not a point of G2");
  if (const auto in_curve = scalar_mul(some_curve_point(TypeParam::g1_b(), 1), order);
      !in_curve.is_infinity()) {
    proof.a = (in_curve + proof.a).to_affine();
    EXPECT_EQ(this->verdict(proof, signals).reason, "pi_a is not a point of G1");
  }
}

TYPED_TEST(VerifyTest, AWrongCountOfSignalsCannotBeChecked) {
  this->make_key(2);
  const auto proof = this->make_proof({TypeParam::Fr::one(), TypeParam::Fr::one()});
  const auto verifier = Verifier<TypeParam>::create(this->key_);
  ASSERT_TRUE(verifier.is_ok());
  EXPECT_EQ(verifier->public_count(), 2U);
  const std::vector<typename TypeParam::Fr> signals{TypeParam::Fr::one()};
  EXPECT_EQ(verifier->verify(proof, signals).status().code(), StatusCode::kInvalidInput);
}

TYPED_TEST(VerifyTest, AKeyWithAPointOutsideItsGroupIsRefusedByName) {
  this->make_key(1);
  auto key = this->key_;
  key.delta2 = some_curve_point(TypeParam::g2_b(), 2);
  EXPECT_NE(Verifier<TypeParam>::create(key).status().message().find("vk_delta_2"), std::string::npos);
  key = this->key_;
  key.ic[1].y = key.ic[1].y + TypeParam::Fq::one();
  EXPECT_NE(Verifier<TypeParam>::create(key).status().message().find("IC[1]"), std::string::npos);
  key = this->key_;
  key.ic.clear();
  EXPECT_FALSE(Verifier<TypeParam>::create(key).is_ok());
}

TYPED_TEST(VerifyTest, TheVerifierHoldsThePairingOfAlphaAndBeta) {
  this->make_key(0);
  EXPECT_EQ(Verifier<TypeParam>::create(this->key_).value().alpha_beta(),
            (pairing<TypeParam>(this->key_.alpha1, this->key_.beta2)));
}

}  // namespace
}  // namespace baton
