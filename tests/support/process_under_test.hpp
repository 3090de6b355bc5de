#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "shared/support/child_process.hpp"

namespace baton::test {

/// How long a test waits for anything before it fails. Nothing is timed by it: it only ends hung tests.
inline constexpr std::chrono::seconds kWatchdog{120};

/// A real program of the build, started with its standard error captured. Ends (SIGKILL) with the object.
class ProcessUnderTest {
 public:
  using Environment = std::vector<std::pair<std::string, std::string>>;

  /// `program` is a name in the build's bin directory. Aborts the test process when it cannot be started.
  ProcessUnderTest(const std::string& program, std::vector<std::string> arguments,
                   Environment environment = {});
  ProcessUnderTest(const ProcessUnderTest&) = delete;
  ProcessUnderTest& operator=(const ProcessUnderTest&) = delete;
  ~ProcessUnderTest();

  [[nodiscard]] pid_t pid() const noexcept { return child_->pid(); }
  void signal(int number) const noexcept { child_->signal(number); }

  /// Waits until the program has printed a line that holds `text`, or has ended. True when it was printed.
  bool wait_for_line(const std::string& text);

  /// Waits for the end; nothing when the watchdog ends the wait.
  std::optional<ChildExit> wait_for_exit();

  /// All that the program has printed to standard error so far.
  [[nodiscard]] std::string output() const;

 private:
  void read_output(UniqueFd fd);

  std::optional<ChildProcess> child_;
  mutable std::mutex mutex_;
  std::condition_variable printed_;
  std::string output_;  // guarded by mutex_
  bool ended_ = false;  // guarded by mutex_: standard error is closed
  std::thread reader_;
};

}  // namespace baton::test
