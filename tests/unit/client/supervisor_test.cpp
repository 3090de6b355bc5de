#include "client/supervisor.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include <csignal>

#include "shared/support/exit_codes.hpp"

namespace baton {
namespace {

SupervisedProgram shell(const std::string& script) {
  SupervisedProgram program{"program", {}};
  program.options.program = "/bin/sh";
  program.options.arguments = {"-c", script};
  return program;
}

/// Waits for the one child to end and lets the supervisor see it.
Status next_end(Supervisor& sut) {
  pollfd entry{sut.descriptors().at(0), POLLIN, 0};
  EXPECT_EQ(::poll(&entry, 1, 10000), 1);
  return sut.tend();
}

TEST(Supervisor, StartsAProgramAgainAtOnceAfterACleanExit) {
  Supervisor sut(true);
  ASSERT_TRUE(sut.add(shell("exit 0")).is_ok());
  ASSERT_TRUE(next_end(sut).is_ok());
  EXPECT_FALSE(sut.all_ended());  // due at once, and so started in the same call
}

TEST(Supervisor, PausesLongerAfterEveryFailureInARow) {
  Supervisor sut(true);
  ASSERT_TRUE(sut.add(shell("exit 1")).is_ok());
  ASSERT_TRUE(next_end(sut).is_ok());
  ASSERT_TRUE(sut.next_start().has_value());
  const auto first = *sut.next_start() - now();
  EXPECT_GT(first, Milliseconds(0));
  EXPECT_LE(first, Milliseconds(100));
  ::poll(nullptr, 0, static_cast<int>(std::chrono::ceil<Milliseconds>(*sut.next_start() - now()).count()));
  ASSERT_TRUE(sut.tend().is_ok());
  ASSERT_FALSE(sut.all_ended());
  ASSERT_TRUE(next_end(sut).is_ok());
  EXPECT_GT(*sut.next_start() - now(), Milliseconds(100));
}

TEST(Supervisor, DoesNotStartARejectedProgramAgain) {
  Supervisor sut(true);
  ASSERT_TRUE(sut.add(shell("exit " + std::to_string(exit_code::kRejected))).is_ok());
  EXPECT_EQ(next_end(sut).code(), StatusCode::kVersionMismatch);
  EXPECT_FALSE(sut.next_start().has_value());
}

TEST(Supervisor, StartsNothingAgainWhileItStops) {
  Supervisor sut(true);
  ASSERT_TRUE(sut.add(shell("exec sleep 1000")).is_ok());
  sut.stop_restarting();
  sut.signal_all(SIGTERM);
  ASSERT_TRUE(next_end(sut).is_ok());
  EXPECT_TRUE(sut.all_ended());
  EXPECT_FALSE(sut.next_start().has_value());
}

}  // namespace
}  // namespace baton
