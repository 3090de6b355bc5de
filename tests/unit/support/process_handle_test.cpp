#include "shared/support/process_handle.hpp"

#include <poll.h>
#include <sys/wait.h>

#include <csignal>

#include <gtest/gtest.h>

namespace baton {
namespace {

/// A child that waits until it is killed.
class WaitingChild {
 public:
  WaitingChild() : pid_(::fork()) {
    if (pid_ == 0) {
      while (true) {
        ::pause();
      }
    }
  }
  WaitingChild(const WaitingChild&) = delete;
  WaitingChild& operator=(const WaitingChild&) = delete;
  ~WaitingChild() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  [[nodiscard]] ProcessIdentity identity() const { return {pid_, process_start_time(pid_).value()}; }

 private:
  pid_t pid_;
};

TEST(ProcessHandleTest, DeathMakesTheDescriptorReadableBeforeReaping) {
  const WaitingChild child;
  const ProcessHandle handle = ProcessHandle::open(child.identity()).value();
  EXPECT_FALSE(handle.has_ended());
  ASSERT_TRUE(handle.send_signal(SIGKILL).is_ok());
  pollfd entry{handle.fd(), POLLIN, 0};
  ASSERT_EQ(::poll(&entry, 1, 20'000), 1);
  EXPECT_TRUE(handle.has_ended());
  EXPECT_TRUE(handle.send_signal(SIGKILL).is_ok());
}

TEST(ProcessHandleTest, AnotherStartTimeIsAnotherProcess) {
  const WaitingChild child;
  ProcessIdentity identity = child.identity();
  identity.start_time += 1;
  EXPECT_EQ(ProcessHandle::open(identity).status().code(), StatusCode::kNotFound);
}

TEST(ProcessHandleTest, ProcessThatIsGoneIsNotFound) {
  ProcessIdentity identity;
  {
    const WaitingChild child;
    identity = child.identity();
  }
  EXPECT_EQ(ProcessHandle::open(identity).status().code(), StatusCode::kNotFound);
}

TEST(ProcessHandleTest, OwnIdentityOpens) {
  const ProcessIdentity identity = this_process().value();
  EXPECT_EQ(identity.pid, ::getpid());
  EXPECT_FALSE(ProcessHandle::open(identity).value().has_ended());
}

}  // namespace
}  // namespace baton
