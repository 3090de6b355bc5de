#include "shared/segments/segment_reaper.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <optional>

#include <gtest/gtest.h>

#include "shared/segments/segment.hpp"
#include "tests/support/temporary_directory.hpp"

namespace baton {
namespace {

class SegmentReaperTest : public ::testing::Test {
 protected:
  Segment create(const std::string& name) {
    return Segment::create(shm_, name, 8192, 1, [](std::span<std::byte>) {}).value();
  }
  ReapReport reap() { return reap_segments(lock_, shm_).value(); }

  test::TemporaryDirectory run_directory_;
  test::TemporaryDirectory directory_{"/dev/shm"};
  std::string shm_ = directory_.path();
  FileLock lock_ = FileLock::acquire(run_directory_.file("lock")).value();
};

TEST_F(SegmentReaperTest, UnusedSegmentsGoAndTheEmptyDirectoryToo) {
  { const Segment orphan = create("a"); }
  const ReapReport report = reap();
  EXPECT_EQ(report.removed, std::vector<std::string>{"a"});
  EXPECT_EQ(report.freed_bytes, 8192U);
  EXPECT_FALSE(std::filesystem::exists(shm_));
  EXPECT_TRUE(reap().removed.empty());
}

TEST_F(SegmentReaperTest, MappedSegmentStays) {
  const Segment used = create("a");
  { const Segment orphan = create("b"); }
  const ReapReport report = reap();
  EXPECT_EQ(report.removed, std::vector<std::string>{"b"});
  EXPECT_EQ(report.in_use, std::vector<std::string>{"a"});
  EXPECT_TRUE(std::filesystem::exists(shm_ + "/a"));
}

TEST_F(SegmentReaperTest, SegmentOfAKilledButUnreapedProcessGoes) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const Segment held = create("a");
    [[maybe_unused]] const ssize_t count = ::write(ready[1], "x", 1);
    while (true) {
      ::pause();
    }
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(reap().in_use, std::vector<std::string>{"a"});
  ::kill(child, SIGKILL);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(reap().removed, std::vector<std::string>{"a"});
  ::waitpid(child, nullptr, 0);
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(SegmentReaperTest, LinksAndDirectoriesAreLeftAlone) {
  std::filesystem::create_symlink("/dev/null", shm_ + "/link");
  std::filesystem::create_directory(shm_ + "/sub");
  const ReapReport report = reap();
  EXPECT_EQ(report.refused.size(), 2U);
  EXPECT_TRUE(std::filesystem::is_symlink(shm_ + "/link"));
}

}  // namespace
}  // namespace baton
