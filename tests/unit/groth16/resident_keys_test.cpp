#include "shared/groth16/resident_keys.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace baton {
namespace {

class ResidentKeysTest : public testing::Test {
 protected:
  /// A key of `bytes` bytes in its H section, all of value `fill`.
  ProvingKeyView key(std::size_t bytes, unsigned char fill) {
    storage_.assign(bytes, std::byte{fill});
    ProvingKeyView view;
    view.h = storage_;
    return view;
  }

  std::vector<std::byte> storage_;
};

TEST_F(ResidentKeysTest, CopiesWhatItIsGiven) {
  ResidentKeys sut(0);
  ASSERT_TRUE(sut.load(1, key(100, 9)).is_ok());
  storage_.assign(100, std::byte{0});
  const auto use = sut.use(1);
  ASSERT_TRUE(use.is_ok());
  EXPECT_EQ(use.value().view().h.size(), 100U);
  EXPECT_EQ(use.value().view().h[99], std::byte{9});
}

TEST_F(ResidentKeysTest, LoadingAgainKeepsTheFirst) {
  ResidentKeys sut(0);
  ASSERT_TRUE(sut.load(1, key(10, 1)).is_ok());
  ASSERT_TRUE(sut.load(1, key(10, 2)).is_ok());
  EXPECT_EQ(sut.use(1).value().view().h[0], std::byte{1});
  EXPECT_EQ(sut.list().size(), 1U);
}

TEST_F(ResidentKeysTest, IdleKeysMakeRoomLeastRecentlyUsedFirst) {
  ResidentKeys sut(256);
  ASSERT_TRUE(sut.load(1, key(128, 1)).is_ok());
  ASSERT_TRUE(sut.load(2, key(128, 2)).is_ok());
  { const auto use = sut.use(1); }
  ASSERT_TRUE(sut.load(3, key(64, 3)).is_ok());
  EXPECT_TRUE(sut.has(1));
  EXPECT_FALSE(sut.has(2));
  EXPECT_TRUE(sut.has(3));
}

TEST_F(ResidentKeysTest, KeysInUseAreNotDroppedForOthers) {
  ResidentKeys sut(128);
  ASSERT_TRUE(sut.load(1, key(128, 1)).is_ok());
  const auto use = sut.use(1);
  EXPECT_EQ(sut.load(2, key(64, 2)).code(), StatusCode::kNoSpace);
  EXPECT_EQ(use.value().view().h[0], std::byte{1});
}

TEST_F(ResidentKeysTest, DroppedKeysStayForTheirUsersOnly) {
  ResidentKeys sut(128);
  ASSERT_TRUE(sut.load(1, key(128, 1)).is_ok());
  {
    const auto use = sut.use(1);
    sut.drop(1);
    EXPECT_FALSE(sut.has(1));
    EXPECT_EQ(sut.use(1).status().code(), StatusCode::kNotFound);
    EXPECT_EQ(use.value().view().h[0], std::byte{1});
    EXPECT_EQ(sut.load(2, key(64, 2)).code(), StatusCode::kNoSpace);
  }
  EXPECT_TRUE(sut.load(2, key(128, 2)).is_ok());
}

TEST_F(ResidentKeysTest, ListSaysSizesAndUse) {
  ResidentKeys sut(0);
  ASSERT_TRUE(sut.load(4, key(3 << 20, 1)).is_ok());
  EXPECT_FALSE(sut.list().at(0).in_use);
  const auto use = sut.use(4);
  EXPECT_EQ(sut.list().at(0).id, 4U);
  EXPECT_EQ(sut.list().at(0).bytes, std::uint64_t{3} << 20);
  EXPECT_TRUE(sut.list().at(0).in_use);
}

TEST_F(ResidentKeysTest, EveryByteIsGivenBackOnceItHasBeenCopied) {
  ResidentKeys sut(0);
  std::size_t given_back = 0;
  const ProvingKeyView view = key(9'000'000, 9);
  ASSERT_TRUE(
      sut.load(1, view, [&](std::span<const std::byte> range) { given_back += range.size(); }).is_ok());
  EXPECT_EQ(given_back, view.h.size());
}

}  // namespace
}  // namespace baton
