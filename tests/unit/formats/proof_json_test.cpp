#include "shared/formats/proof_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "shared/formats/curve_dispatch.hpp"
#include "shared/math/decimal.hpp"
#include "shared/support/posix.hpp"
#include "tests/support/expect_status.hpp"

namespace baton {
namespace {

using test::refused_saying;
using Json = nlohmann::ordered_json;

constexpr std::size_t kLimit = 1U << 20U;

class ProofJsonTest : public ::testing::TestWithParam<CurveId> {
 protected:
  [[nodiscard]] Result<AnyProof> parse() const { return parse_proof_json(document_.dump(), GetParam()); }

  std::string path_ = std::string(BATON_TEST_DATA) +
                      (GetParam() == CurveId::kBn254 ? "/membership" : "/membership_bls12381") +
                      "/snarkjs_proof.json";
  std::string text_ = read_small_file(path_, kLimit).value();
  Json document_ = Json::parse(text_);
};

INSTANTIATE_TEST_SUITE_P(BothCurves, ProofJsonTest, ::testing::Values(CurveId::kBn254, CurveId::kBls12_381));

TEST_P(ProofJsonTest, of_snarkjs_is_read_and_written_byte_for_byte) {
  const auto proof = read_proof_json(path_, GetParam());
  ASSERT_TRUE(proof.is_ok()) << proof.status().message();
  EXPECT_EQ(curve_of(*proof), GetParam());
  EXPECT_EQ(write_proof_json(*proof), text_);
}

TEST_P(ProofJsonTest, of_rapidsnark_names_no_curve) {
  document_.erase("curve");
  const auto proof = parse();
  ASSERT_TRUE(proof.is_ok()) << proof.status().message();
  EXPECT_EQ(write_proof_json(*proof), text_);
}

TEST_P(ProofJsonTest, keeps_points_at_infinity) {
  document_["pi_a"] = {"0", "1", "0"};
  document_["pi_b"] = Json::parse(R"([["0","0"],["1","0"],["0","0"]])");
  const auto proof = parse();
  ASSERT_TRUE(proof.is_ok()) << proof.status().message();
  std::visit(
      [](const auto& points) {
        EXPECT_TRUE(points.a.is_infinity());
        EXPECT_TRUE(points.b.is_infinity());
        EXPECT_FALSE(points.c.is_infinity());
      },
      *proof);
  EXPECT_EQ(Json::parse(write_proof_json(*proof)), document_);
}

TEST_P(ProofJsonTest, refuses_another_curve_or_protocol) {
  document_["curve"] = GetParam() == CurveId::kBn254 ? "bls12381" : "bn128";
  EXPECT_TRUE(refused_saying(parse(), "curve: a proof over "));
  document_["curve"] = "secp256k1";
  EXPECT_TRUE(refused_saying(parse(), "curve: unknown, expected bn128 or bls12381"));
  document_["curve"] = 7;
  EXPECT_TRUE(refused_saying(parse(), "curve: not a string"));
  document_["protocol"] = "plonk";
  EXPECT_TRUE(refused_saying(parse(), "protocol: not groth16"));
  document_.erase("protocol");
  EXPECT_TRUE(refused_saying(parse(), "protocol: missing"));
}

TEST_P(ProofJsonTest, names_the_point_that_is_missing) {
  for (const std::string key : {"pi_a", "pi_b", "pi_c"}) {
    Json without = document_;
    without.erase(key);
    EXPECT_TRUE(refused_saying(parse_proof_json(without.dump(), GetParam()), key + ": missing"));
  }
}

TEST_P(ProofJsonTest, refuses_points_off_the_curve) {
  document_["pi_c"][0] = "1";
  document_["pi_c"][1] = "1";
  EXPECT_TRUE(refused_saying(parse(), "pi_c: the point is not on the curve"));
  document_["pi_c"] = {"0", "0", "1"};
  EXPECT_TRUE(refused_saying(parse(), "pi_c: the point is not on the curve"));
  document_["pi_b"][0][1] = "5";
  EXPECT_TRUE(refused_saying(parse(), "pi_b: the point is not on the curve"));
}

TEST_P(ProofJsonTest, refuses_coordinates_that_are_not_reduced) {
  const std::string modulus = with_curve(
      GetParam(), []<class Curve>(std::type_identity<Curve>) { return to_decimal(Curve::Fq::modulus()); });
  document_["pi_b"][1][1] = modulus;
  EXPECT_TRUE(refused_saying(parse(), "pi_b: [1]: [1]: not below q"));
  document_["pi_a"][0] = modulus;
  EXPECT_TRUE(refused_saying(parse(), "pi_a: [0]: not below q"));
  document_["pi_a"][0] = "-1";
  EXPECT_TRUE(refused_saying(parse(), "pi_a: [0]: not a decimal number"));
}

TEST_P(ProofJsonTest, takes_affine_points_of_three_coordinates_only) {
  document_["pi_c"][2] = "2";
  EXPECT_TRUE(refused_saying(parse(), "pi_c: [2]: z is not 1"));
  document_["pi_c"].erase(2);
  EXPECT_TRUE(refused_saying(parse(), "pi_c: not a list of 3 coordinates"));
  document_["pi_b"][2] = "1";
  EXPECT_TRUE(refused_saying(parse(), "pi_b: [2]: not a list of 2 numbers"));
  document_["pi_a"] = {{"x", "1"}};
  EXPECT_TRUE(refused_saying(parse(), "pi_a: not a list of 3 coordinates"));
}

TEST_P(ProofJsonTest, refuses_what_is_no_object) {
  EXPECT_TRUE(refused_saying(parse_proof_json("[]", GetParam()), "not a JSON object"));
  EXPECT_TRUE(refused_saying(parse_proof_json("null", GetParam()), "not a JSON object"));
  EXPECT_TRUE(refused_saying(parse_proof_json(text_.substr(0, 100), GetParam()), "not JSON from byte "));
}

}  // namespace
}  // namespace baton
