#include "gpu-worker/fixed_blinding.hpp"

#include <gtest/gtest.h>

namespace baton {
namespace {

TEST(FixedBlindingTest, TwoDecimalNumbersAreReadLittleEndian) {
  const Blinding blinding = parse_fixed_blinding("258,3").value();
  EXPECT_EQ(blinding.r[0], std::byte{2});
  EXPECT_EQ(blinding.r[1], std::byte{1});
  EXPECT_EQ(blinding.s[0], std::byte{3});
  EXPECT_EQ(blinding.s[31], std::byte{0});
}

TEST(FixedBlindingTest, AnythingElseIsRefused) {
  for (const char* text : {"", "1", "1,", ",1", "1,2,3", "a,b", "1, 2", "-1,2"}) {
    EXPECT_EQ(parse_fixed_blinding(text).status().code(), StatusCode::kInvalidInput) << text;
  }
}

}  // namespace
}  // namespace baton
