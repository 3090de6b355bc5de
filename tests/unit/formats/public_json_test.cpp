#include "shared/formats/public_json.hpp"

#include <gtest/gtest.h>

#include "shared/formats/prime_field.hpp"
#include "shared/math/decimal.hpp"
#include "shared/support/posix.hpp"
#include "tests/support/expect_status.hpp"

namespace baton {
namespace {

using test::refused_saying;

constexpr std::size_t kLimit = 1U << 20U;

Result<PublicSignals> parse(std::string_view text) {
  return parse_public_json(text, CurveId::kBn254);
}

TEST(PublicJson, of_snarkjs_is_read_and_written_byte_for_byte) {
  for (const auto& [folder, curve] :
       {std::pair("membership", CurveId::kBn254), std::pair("membership_bls12381", CurveId::kBls12_381)}) {
    const std::string path = std::string(BATON_TEST_DATA) + "/" + folder + "/public.json";
    const auto signals = read_public_json(path, curve);
    ASSERT_TRUE(signals.is_ok()) << signals.status().message();
    EXPECT_EQ(write_public_json(*signals), read_small_file(path, kLimit).value());
  }
}

TEST(PublicJson, without_signals_is_two_lines) {
  EXPECT_EQ(write_public_json({}), "[\n]");
  EXPECT_TRUE(parse("[\n]")->empty());
  EXPECT_TRUE(parse("[]")->empty());
}

TEST(PublicJson, has_one_signal_a_line) {
  const PublicSignals signals = {BigInt<4>::from_u64(33), BigInt<4>{}};
  EXPECT_EQ(write_public_json(signals), "[\n \"33\",\n \"0\"\n]");
  EXPECT_TRUE(parse(write_public_json(signals)).value() == signals);
}

TEST(PublicJson, takes_integers_that_json_holds_exactly) {
  EXPECT_TRUE(parse("[9007199254740993, 0]")->front() == BigInt<4>::from_u64(9007199254740993U));
}

TEST(PublicJson, takes_values_below_r_only) {
  for (const CurveId curve : {CurveId::kBn254, CurveId::kBls12_381}) {
    BigInt<4> value = scalar_modulus(curve);
    EXPECT_TRUE(refused_saying(parse_public_json("[\"1\",\"" + to_decimal(value) + "\"]", curve),
                               "value 1: not below r"));
    --value.limbs[0];
    EXPECT_TRUE(parse_public_json("[\"" + to_decimal(value) + "\"]", curve)->front() == value);
  }
}

TEST(PublicJson, refuses_text_that_is_no_plain_decimal_number) {
  for (const std::string text : {"\"-1\"", "\"+1\"", "\" 7\"", "\"7 \"", "\"\"", "\"0x10\"", "\"1e3\"",
                                 "\"07\"", "\"00\"", "\"1.0\"", "\"garbage\"", "\"\\u0661\""}) {
    EXPECT_TRUE(refused_saying(parse("[" + text + "]"), "value 0: not a decimal number")) << text;
  }
  for (const std::string text : {"-1", "1e3", "1.0", "18446744073709551616", "null", "true", "[]", "{}"}) {
    EXPECT_TRUE(refused_saying(parse("[" + text + "]"), "value 0: not a decimal string")) << text;
  }
  EXPECT_TRUE(refused_saying(parse("[\"" + std::string(100, '9') + "\"]"),
                             "value 0: a number of 100 digits is too large"));
}

TEST(PublicJson, refuses_what_is_no_list) {
  EXPECT_TRUE(refused_saying(parse("{\"0\": \"1\"}"), "not a JSON list"));
  EXPECT_TRUE(refused_saying(parse("\"1\""), "not a JSON list"));
  EXPECT_TRUE(refused_saying(parse(""), "not JSON from byte 1 on"));
  EXPECT_TRUE(refused_saying(parse("[\"1\""), "not JSON from byte 5 on"));
  EXPECT_TRUE(refused_saying(parse("[\"1\"] x"), "not JSON from byte 7 on"));
  EXPECT_TRUE(refused_saying(parse("[\"\xff\"]"), "not JSON from byte "));
  EXPECT_TRUE(refused_saying(parse(std::string(100'000, '[')), "not JSON from byte "));
}

TEST(PublicJson, names_its_file_in_errors) {
  EXPECT_TRUE(refused_saying(read_public_json("/nonexistent/public.json", CurveId::kBn254),
                             "/nonexistent/public.json: No such file"));
}

}  // namespace
}  // namespace baton
