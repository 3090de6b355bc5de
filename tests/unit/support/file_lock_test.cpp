#include "shared/support/file_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "shared/support/posix.hpp"
#include "tests/support/temporary_directory.hpp"

namespace baton {
namespace {

TEST(FileLockTest, SecondHolderIsRefusedAndToldWhoHasIt) {
  const test::TemporaryDirectory directory;
  const auto first = FileLock::acquire(directory.file("lock"));
  ASSERT_TRUE(first.is_ok());
  const auto second = FileLock::acquire(directory.file("lock"));
  EXPECT_EQ(second.status().code(), StatusCode::kBusy);
  EXPECT_NE(second.status().message().find("pid " + std::to_string(::getpid())), std::string::npos);
}

TEST(FileLockTest, ReleasedLockCanBeTakenAndItsFileStays) {
  const test::TemporaryDirectory directory;
  { ASSERT_TRUE(FileLock::acquire(directory.file("lock")).is_ok()); }
  EXPECT_TRUE(std::filesystem::exists(directory.file("lock")));
  EXPECT_TRUE(FileLock::acquire(directory.file("lock")).is_ok());
}

TEST(FileLockTest, LockFileIsPrivateAndCloseOnExec) {
  const test::TemporaryDirectory directory;
  const auto lock = FileLock::acquire(directory.file("lock"));
  ASSERT_TRUE(lock.is_ok());
  struct stat info {};
  ASSERT_EQ(::fstat(lock->fd(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  EXPECT_NE(::fcntl(lock->fd(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(FileLockTest, SymbolicLinkIsRefused) {
  const test::TemporaryDirectory directory;
  std::filesystem::create_symlink(directory.file("elsewhere"), directory.file("lock"));
  EXPECT_EQ(FileLock::acquire(directory.file("lock")).status().code(), StatusCode::kPermission);
}

TEST(FileLockTest, SharedHoldersExcludeTheExclusiveOne) {
  const test::TemporaryDirectory directory;
  const auto one = open_file(directory.file("f"), O_RDWR | O_CREAT, 0600);
  const auto two = open_file(directory.file("f"), O_RDWR);
  const auto three = open_file(directory.file("f"), O_RDWR);
  EXPECT_TRUE(lock_descriptor(one->get(), LockMode::kShared, "f").is_ok());
  EXPECT_TRUE(lock_descriptor(two->get(), LockMode::kShared, "f").is_ok());
  EXPECT_EQ(lock_descriptor(three->get(), LockMode::kExclusive, "f").code(), StatusCode::kBusy);
}

}  // namespace
}  // namespace baton
