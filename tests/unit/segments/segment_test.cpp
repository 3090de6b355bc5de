#include "shared/segments/segment.hpp"

#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/temporary_directory.hpp"

namespace baton {
namespace {

constexpr std::size_t kBytes = 3 * 4096;

class SegmentTest : public ::testing::Test {
 protected:
  Result<Segment> create(const std::string& name, std::size_t bytes = kBytes) {
    return Segment::create(directory_.path(), name, bytes, 2,
                           [](std::span<std::byte> all) { all[0] = std::byte{42}; });
  }
  Result<Segment> open(const std::string& name, MappingAccess access = MappingAccess::kReadOnly) {
    return Segment::open(directory_.path(), name, kBytes, access);
  }

  test::TemporaryDirectory directory_{"/dev/shm"};
};

TEST_F(SegmentTest, CreatedSegmentIsSharedWithThoseWhoOpenIt) {
  const Segment created = create("s").value();
  const Segment writer = open("s", MappingAccess::kReadWrite).value();
  const Segment reader = open("s").value();
  EXPECT_EQ(reader.bytes().size(), kBytes);
  EXPECT_EQ(reader.bytes()[0], std::byte{42});
  EXPECT_EQ(reader.bytes()[1], std::byte{0});
  writer.writable_bytes()[kBytes - 1] = std::byte{7};
  EXPECT_EQ(created.bytes()[kBytes - 1], std::byte{7});
  EXPECT_EQ(reader.bytes()[kBytes - 1], std::byte{7});
  EXPECT_TRUE(reader.writable_bytes().empty());
}

TEST_F(SegmentTest, NewSegmentIsPrivateAndItsBlocksAreReserved) {
  const Segment segment = create("s").value();
  struct stat info {};
  ASSERT_EQ(::stat(directory_.file("s").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777U, 0600U);
  EXPECT_GE(static_cast<std::size_t>(info.st_blocks) * 512, kBytes);
}

TEST_F(SegmentTest, TakenNameIsNotReplaced) {
  const Segment first = create("s").value();
  EXPECT_EQ(create("s").status().code(), StatusCode::kExists);
  EXPECT_TRUE(open("s").is_ok());
}

TEST_F(SegmentTest, ShortageIsAnErrorThatNamesBothNumbersAndLeavesNothing) {
  const auto result = create("s", std::size_t{1} << 50);
  EXPECT_EQ(result.status().code(), StatusCode::kNoSpace);
  EXPECT_NE(result.status().message().find("needs 1125899906842624 bytes"), std::string::npos);
  EXPECT_NE(result.status().message().find("are free"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
}

TEST_F(SegmentTest, CreatorKilledBeforePublishingLeavesNoName) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto ignored = Segment::create(directory_.path(), "s", kBytes, 1,
                                         [](std::span<std::byte>) { ::kill(::getpid(), SIGKILL); });
    ::_exit(ignored.is_ok() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
}

TEST_F(SegmentTest, ForeignModeSizeLinksAndSymlinksAreRefused) {
  const Segment segment = create("s").value();
  EXPECT_EQ(Segment::open(directory_.path(), "s", kBytes + 4096, MappingAccess::kReadOnly).status().code(),
            StatusCode::kCorrupt);
  ASSERT_EQ(::chmod(directory_.file("s").c_str(), 0640), 0);
  EXPECT_EQ(open("s").status().code(), StatusCode::kPermission);
  ASSERT_EQ(::chmod(directory_.file("s").c_str(), 0600), 0);
  std::filesystem::create_symlink(directory_.file("s"), directory_.file("link"));
  EXPECT_EQ(open("link").status().code(), StatusCode::kPermission);
  std::filesystem::create_hard_link(directory_.file("s"), directory_.file("second"));
  EXPECT_EQ(open("s").status().code(), StatusCode::kPermission);
  EXPECT_EQ(open("none").status().code(), StatusCode::kNotFound);
}

TEST_F(SegmentTest, AnotherUsersFileIsRefused) {
  if (::geteuid() != 0) {
    GTEST_SKIP() << "only root can give a file away";
  }
  const Segment segment = create("s").value();
  ASSERT_EQ(::chown(directory_.file("s").c_str(), 12345, 12345), 0);
  EXPECT_EQ(open("s").status().code(), StatusCode::kPermission);
}

TEST_F(SegmentTest, FileTooSmallForAHeaderIsRefused) {
  std::ofstream(directory_.file("tiny")) << "x";
  ASSERT_EQ(::chmod(directory_.file("tiny").c_str(), 0600), 0);
  EXPECT_EQ(Segment::open(directory_.path(), "tiny", 0, MappingAccess::kReadOnly).status().code(),
            StatusCode::kCorrupt);
}

TEST_F(SegmentTest, RemovedNameLeavesMappingsAndIsNotRemovedTwice) {
  const Segment first = create("s").value();
  ASSERT_TRUE(first.remove_name(directory_.path()).is_ok());
  const Segment second = create("s").value();
  EXPECT_TRUE(first.remove_name(directory_.path()).is_ok());
  EXPECT_TRUE(open("s").is_ok());
  EXPECT_EQ(first.bytes()[0], std::byte{42});
}

}  // namespace
}  // namespace baton
