#include "shared/math/big_int.hpp"

#include <gtest/gtest.h>

#include <string>

#include "shared/math/decimal.hpp"

namespace baton {
namespace {

constexpr std::uint64_t kOnes = ~std::uint64_t{0};

TEST(BigInt, CarryAndBorrowRunThroughAllLimbs) {
  constexpr BigInt<3> kMax{{kOnes, kOnes, kOnes}};
  BigInt<3> sum;
  EXPECT_EQ(add_with_carry(sum, kMax, BigInt<3>::from_u64(1)), 1U);
  EXPECT_TRUE(sum.is_zero());
  BigInt<3> difference;
  EXPECT_EQ(sub_with_borrow(difference, sum, BigInt<3>::from_u64(1)), 1U);
  EXPECT_EQ(difference, kMax);
}

TEST(BigInt, OrderIsDecidedByTheHighestLimbThatDiffers) {
  constexpr BigInt<2> kSmall{{kOnes, 1}};
  constexpr BigInt<2> kLarge{{0, 2}};
  EXPECT_TRUE(kSmall < kLarge);
  EXPECT_FALSE(kLarge < kSmall);
  EXPECT_FALSE(kLarge < kLarge);
}

TEST(BigInt, BitWindowsCrossLimbsAndEndInZeros) {
  constexpr BigInt<2> kValue{{std::uint64_t{1} << 63, 0x8000000000000005U}};
  EXPECT_EQ(kValue.bits(62, 4), 0b0110U);
  EXPECT_EQ(kValue.bits(63, 64), 0xbU);
  EXPECT_EQ(kValue.bits(127, 20), 1U);
  EXPECT_EQ(kValue.bits(128, 8), 0U);
  EXPECT_EQ(kValue.bit_length(), 128U);
  EXPECT_TRUE(kValue.bit(127));
  EXPECT_FALSE(kValue.bit(500));
}

TEST(BigInt, ShiftMovesBitsBetweenLimbs) {
  constexpr BigInt<2> kValue{{0, 3}};
  EXPECT_EQ(shifted_right(kValue, 1), (BigInt<2>{{std::uint64_t{1} << 63, 1}}));
  EXPECT_EQ(shifted_right(kValue, 0), kValue);
}

TEST(Decimal, PrintingAndParsingAreInverse) {
  for (const std::string text :
       {"0", "1", "10", "18446744073709551616", "10000000000000000000",
        "21888242871839275222246405745257275088696311157297823662689037894645226208583"}) {
    const auto value = parse_decimal<4>(text);
    ASSERT_TRUE(value.has_value()) << text;
    EXPECT_EQ(to_decimal(*value), text);
  }
  EXPECT_EQ(to_decimal(BigInt<1>::from_u64(kOnes)), "18446744073709551615");
}

TEST(Decimal, AnythingButDigitsThatFitIsRefused) {
  EXPECT_FALSE(parse_decimal<1>("").has_value());
  EXPECT_FALSE(parse_decimal<1>("-1").has_value());
  EXPECT_FALSE(parse_decimal<1>("0x10").has_value());
  EXPECT_FALSE(parse_decimal<1>(" 1").has_value());
  EXPECT_FALSE(parse_decimal<1>("18446744073709551616").has_value());
  EXPECT_FALSE(parse_decimal<1>("184467440737095516150").has_value());
}

}  // namespace
}  // namespace baton
