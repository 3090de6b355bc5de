#include <gtest/gtest.h>

#include "shared/contract/slot_layout.hpp"
#include "shared/contract/version.hpp"

namespace baton {
namespace {

void expect_sound(const CircuitShape& shape) {
  const SlotLayout layout = compute_slot_layout(shape);
  const std::uint64_t alignment =
      layout.total_bytes > kLargePageBytes + kPageBytes ? kLargePageBytes : kPageBytes;
  std::uint64_t end = kPageBytes;
  for (const SlotLayout::Range& range : layout.sections) {
    if (range.bytes != 0) {
      EXPECT_EQ(range.offset % alignment, 0u);
      EXPECT_GE(range.offset, end);
      end = range.offset + range.bytes;
    }
  }
  EXPECT_GE(layout.total_bytes, end);
  EXPECT_EQ(layout.total_bytes % kPageBytes, 0u);
  EXPECT_EQ(layout.at(SlotSection::kC).bytes != 0, shape.has_c);
}

TEST(SlotLayout, SectionsDoNotOverlapAndAreAligned) {
  for (std::uint32_t log = 1; log <= 28; ++log) {
    for (const bool has_c : {false, true}) {
      expect_sound({(1u << log) + 5, 1, 1u << log, has_c});
      expect_sound({2, 0, 1u << log, has_c});
    }
  }
}

TEST(SlotLayout, SmallestSlotIsFourPages) {
  EXPECT_EQ(compute_slot_layout({1, 0, 2, false}).total_bytes, 4 * kPageBytes);
}

TEST(SlotLayout, LargestSlotNeedsMoreThan32Bits) {
  const SlotLayout layout = compute_slot_layout({kMaxVars, 0, kMaxDomainSize, true});
  EXPECT_GT(layout.total_bytes, std::uint64_t{kMaxVars} * 32 + 3 * (std::uint64_t{kMaxDomainSize} * 32));
}

TEST(SlotLayout, ImpossibleShapesAreRefused) {
  EXPECT_TRUE(is_valid({1, 0, 2, false}));
  EXPECT_FALSE(is_valid({0, 0, 2, false}));
  EXPECT_FALSE(is_valid({1, 1, 2, false}));
  EXPECT_FALSE(is_valid({1, 0, 1, false}));
  EXPECT_FALSE(is_valid({1, 0, 3, false}));
  EXPECT_FALSE(is_valid({1, 0, kMaxDomainSize * 2, false}));
  EXPECT_FALSE(is_valid({kMaxVars + 1, 0, 2, false}));
}

TEST(SizeClass, HoldsItsBytesWastesAtMostOneSixteenthAndIsItsOwnClass) {
  for (std::uint64_t bytes = kPageBytes; bytes < (std::uint64_t{1} << 36);
       bytes = bytes * 17 / 13 + kPageBytes) {
    const std::uint64_t capacity = size_class(bytes);
    EXPECT_GE(capacity, bytes);
    EXPECT_LE(capacity, bytes + bytes / 16 + kPageBytes);
    EXPECT_EQ(capacity % kPageBytes, 0u);
    EXPECT_EQ(size_class(capacity), capacity);
  }
}

// A change of these bytes must move kLayoutVersion or kProtocolVersion, and then this number.
TEST(Fingerprint, IsPinned) {
  EXPECT_EQ(kBuildFingerprint, 14538160774292822659u) << std::hex << kBuildFingerprint;
}

}  // namespace
}  // namespace baton
