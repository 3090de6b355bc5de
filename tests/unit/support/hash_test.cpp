#include "shared/support/hash.hpp"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace baton {
namespace {

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(HashTest, EmptyInputHasThePublishedXxh3Values) {
  EXPECT_EQ(hash64({}), 0x2d06800538d394c2ULL);
  const Digest128 digest = hash128({});
  EXPECT_EQ(digest.high, 0x99aa06d3014798d8ULL);
  EXPECT_EQ(digest.low, 0x6001c324468d497fULL);
}

TEST(HashTest, PiecesGiveTheSameDigestsAsTheWhole) {
  std::vector<std::byte> data(10'000);
  for (std::size_t i = 0; i < data.size(); ++i) {
    data[i] = static_cast<std::byte>(i * 31 + i / 256);
  }
  Hasher hasher;
  const std::span<const std::byte> all(data);
  hasher.update(all.first(1));
  hasher.update(all.subspan(1, 777));
  hasher.update(all.subspan(778));
  EXPECT_EQ(hasher.digest128(), hash128(all));
  EXPECT_EQ(hasher.digest64(), hash64(all));
}

TEST(HashTest, OneBitChangesTheDigest) {
  EXPECT_NE(hash64(bytes("baton")), hash64(bytes("bator")));
  EXPECT_FALSE(hash128(bytes("baton")) == hash128(bytes("bator")));
}

}  // namespace
}  // namespace baton
