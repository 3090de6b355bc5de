#include "shared/support/posix.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/temporary_directory.hpp"

namespace baton {
namespace {

TEST(PosixTest, ReadingBeyondTheEndNamesTheFileAndBothLengths) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("f");
  const UniqueFd fd = open_file(path, O_RDWR | O_CREAT, 0600).value();
  ASSERT_TRUE(write_all(fd.get(), "abc", path).is_ok());
  std::array<std::byte, 4> bytes{};
  const Status status = pread_exact(fd.get(), bytes, 1, path);
  EXPECT_EQ(status.code(), StatusCode::kInvalidInput);
  EXPECT_EQ(status.message(), path + ": ends at byte 3, expected 5");
}

TEST(PosixTest, IdentityChangesWithTheContent) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("f");
  const UniqueFd fd = open_file(path, O_RDWR | O_CREAT, 0600).value();
  const FileIdentity before = file_identity(fd.get(), path).value();
  ASSERT_TRUE(write_all(fd.get(), "abc", path).is_ok());
  EXPECT_FALSE(file_identity(fd.get(), path).value() == before);
}

TEST(PosixTest, PipesAndDirectoriesAreNotRegularFiles) {
  const test::TemporaryDirectory directory;
  ASSERT_EQ(::mkfifo(directory.file("fifo").c_str(), 0600), 0);
  EXPECT_EQ(open_regular_file(directory.file("fifo")).status().code(), StatusCode::kInvalidInput);
  EXPECT_EQ(open_regular_file(directory.path()).status().code(), StatusCode::kInvalidInput);
  EXPECT_EQ(open_regular_file(directory.file("none")).status().code(), StatusCode::kNotFound);
}

TEST(PosixTest, FileLargerThanTheLimitIsRefused) {
  const test::TemporaryDirectory directory;
  const UniqueFd fd = open_file(directory.file("f"), O_RDWR | O_CREAT, 0600).value();
  ASSERT_TRUE(write_all(fd.get(), "abcd", "f").is_ok());
  EXPECT_EQ(read_small_file(directory.file("f"), 4).value(), "abcd");
  EXPECT_EQ(read_small_file(directory.file("f"), 3).status().code(), StatusCode::kLimit);
}

TEST(PosixTest, DirectoryThatOthersMayEnterIsRefused) {
  const test::TemporaryDirectory directory;
  EXPECT_TRUE(make_private_directory(directory.file("d")).is_ok());
  EXPECT_TRUE(make_private_directory(directory.file("d")).is_ok());
  ASSERT_EQ(::chmod(directory.file("d").c_str(), 0750), 0);
  EXPECT_EQ(make_private_directory(directory.file("d")).code(), StatusCode::kPermission);
  std::filesystem::create_symlink(directory.path(), directory.file("link"));
  EXPECT_EQ(make_private_directory(directory.file("link")).code(), StatusCode::kPermission);
}

}  // namespace
}  // namespace baton
