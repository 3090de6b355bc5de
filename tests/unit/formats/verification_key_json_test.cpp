#include "shared/formats/verification_key_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "shared/formats/curve_dispatch.hpp"
#include "shared/formats/proving_key_file.hpp"
#include "shared/math/decimal.hpp"
#include "shared/support/posix.hpp"
#include "tests/support/expect_status.hpp"

namespace baton {
namespace {

using test::refused_saying;
using Json = nlohmann::ordered_json;

constexpr std::size_t kLimit = 1U << 20U;

class VerificationKeyJsonTest : public ::testing::TestWithParam<CurveId> {
 protected:
  [[nodiscard]] Result<AnyVerificationKey> parse() const {
    return parse_verification_key_json(document_.dump());
  }

  /// The product that snarkjs has computed, from its own text.
  template <class Curve>
  [[nodiscard]] AlphaBeta<Curve> alpha_beta() const {
    AlphaBeta<Curve> product;
    for (std::size_t i = 0; i < product.size(); ++i) {
      const std::string text = document_["vk_alphabeta_12"][i / 6][i / 2 % 3][i % 2];
      product[i] = *Curve::Fq::from_canonical(*parse_decimal<Curve::Fq::kLimbs>(text));
    }
    return product;
  }

  [[nodiscard]] std::string write(const AnyVerificationKey& any) const {
    return with_curve(GetParam(), [&]<class Curve>(std::type_identity<Curve>) {
      return write_verification_key_json<Curve>(std::get<VerificationKey<Curve>>(any), alpha_beta<Curve>());
    });
  }

  std::string folder_ =
      std::string(BATON_TEST_DATA) + (GetParam() == CurveId::kBn254 ? "/membership" : "/membership_bls12381");
  std::string path_ = folder_ + "/verification_key.json";
  std::string text_ = read_small_file(path_, kLimit).value();
  Json document_ = Json::parse(text_);
};

INSTANTIATE_TEST_SUITE_P(BothCurves, VerificationKeyJsonTest,
                         ::testing::Values(CurveId::kBn254, CurveId::kBls12_381));

TEST_P(VerificationKeyJsonTest, of_snarkjs_is_read_and_written_byte_for_byte) {
  const auto key = read_verification_key_json(path_);
  ASSERT_TRUE(key.is_ok()) << key.status().message();
  EXPECT_EQ(curve_of(*key), GetParam());
  EXPECT_EQ(write(*key), text_);
}

TEST_P(VerificationKeyJsonTest, equals_what_the_proving_key_holds) {
  const auto key = ProvingKeyFile::open(folder_ + "/key.zkey", FileAccess::kMap);
  ASSERT_TRUE(key.is_ok()) << key.status().message();
  EXPECT_EQ(write(key->verification_key()), text_);
}

TEST_P(VerificationKeyJsonTest, needs_no_pairing_product) {
  document_.erase("vk_alphabeta_12");
  EXPECT_TRUE(parse().is_ok());
}

TEST_P(VerificationKeyJsonTest, takes_the_aliases_of_curve_names) {
  const std::vector<std::string> names =
      GetParam() == CurveId::kBn254 ? std::vector<std::string>{"bn128", "BN254", "alt_bn128", "Bn-128"}
                                    : std::vector<std::string>{"bls12381", "BLS12-381", "bls12_381"};
  for (const std::string& name : names) {
    document_["curve"] = name;
    const auto key = parse();
    ASSERT_TRUE(key.is_ok()) << name << ": " << key.status().message();
    EXPECT_EQ(curve_of(*key), GetParam());
  }
}

TEST_P(VerificationKeyJsonTest, refuses_unknown_and_missing_curves) {
  document_["curve"] = "bn256";
  EXPECT_TRUE(refused_saying(parse(), "curve: unknown, expected bn128 or bls12381"));
  document_.erase("curve");
  EXPECT_TRUE(refused_saying(parse(), "curve: missing"));
}

TEST_P(VerificationKeyJsonTest, refuses_the_name_of_the_other_curve) {
  document_["curve"] = GetParam() == CurveId::kBn254 ? "bls12381" : "bn128";
  EXPECT_TRUE(refused_saying(parse(), "vk_alpha_1: "));
}

TEST_P(VerificationKeyJsonTest, refuses_another_protocol) {
  document_["protocol"] = "plonk";
  EXPECT_TRUE(refused_saying(parse(), "protocol: not groth16"));
}

TEST_P(VerificationKeyJsonTest, names_the_member_that_is_missing) {
  for (const std::string key : {"vk_alpha_1", "vk_beta_2", "vk_gamma_2", "vk_delta_2", "IC", "nPublic"}) {
    Json without = document_;
    without.erase(key);
    EXPECT_TRUE(refused_saying(parse_verification_key_json(without.dump()), key + ": missing"));
  }
}

TEST_P(VerificationKeyJsonTest, refuses_a_count_that_contradicts_the_points) {
  const std::size_t points = document_["IC"].size();
  document_["nPublic"] = points;
  EXPECT_TRUE(refused_saying(parse(), "nPublic: expected " + std::to_string(points - 1)));
  document_["nPublic"] = "3";
  EXPECT_TRUE(refused_saying(parse(), "nPublic: expected "));
  document_["IC"] = Json::array();
  EXPECT_TRUE(refused_saying(parse(), "IC: not a list of points"));
}

TEST_P(VerificationKeyJsonTest, names_the_point_that_is_wrong) {
  document_["IC"][1][0] = "1";
  EXPECT_TRUE(refused_saying(parse(), "IC[1]: the point is not on the curve"));
  document_["vk_delta_2"][0][0] = "x";
  EXPECT_TRUE(refused_saying(parse(), "vk_delta_2: [0]: [0]: not a decimal number"));
}

}  // namespace
}  // namespace baton
