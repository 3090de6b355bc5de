#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shared/support/result.hpp"
#include "shared/support/unique_fd.hpp"

namespace baton {

/// What a child may use at most; nothing set means the parent's own limits.
struct ChildLimits {
  std::optional<std::uint64_t> address_space_bytes;
  std::optional<std::uint64_t> file_bytes;
  std::optional<std::uint64_t> cpu_seconds;
  std::optional<std::uint64_t> processes;
};

/// How to start a program. The child inherits standard error, and nothing else but what is named here.
struct ChildOptions {
  std::string program;                 ///< a path; no search in PATH unless it holds no '/'
  std::vector<std::string> arguments;  ///< without the program's own name
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to, or replacing, the parent's
  std::string directory;                                         ///< working directory; empty: the parent's
  int stdout_fd = -1;           ///< the child's standard output; -1: /dev/null
  int stderr_fd = -1;           ///< the child's standard error; -1: the parent's
  bool new_group = false;       ///< a process group of its own, so that its children can be killed with it
  int parent_death_signal = 0;  ///< sent to the child when the thread that started it ends; 0: none
  ChildLimits limits;
};

/// How a child ended.
struct ChildExit {
  bool signalled = false;
  int code = 0;  ///< exit status, or the signal
  [[nodiscard]] bool success() const noexcept { return !signalled && code == 0; }
  [[nodiscard]] std::string to_string() const;  ///< "exit 3", "signal 9"
};

/// A child of this process. Destroying it kills the child (and its group, when it has one) and reaps it.
/// Only the thread that owns the object may use it.
class ChildProcess {
 public:
  static Result<ChildProcess> start(const ChildOptions& options);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  [[nodiscard]] pid_t pid() const noexcept { return pid_; }

  /// Readable (poll) once the child has ended.
  [[nodiscard]] int pidfd() const noexcept { return pidfd_.get(); }

  /// Sends a signal to the child, or to its whole group when it has one; nothing once it was reaped.
  void signal(int number) const noexcept;

  /// Waits at most `timeout_ms` (-1: for ever, 0: a look) and reaps; empty when the child still runs.
  std::optional<ChildExit> wait(int timeout_ms);

 private:
  ChildProcess(pid_t pid, UniqueFd pidfd, bool group) noexcept
      : pid_(pid), pidfd_(std::move(pidfd)), group_(group) {}
  void kill_and_reap() noexcept;

  pid_t pid_ = -1;
  UniqueFd pidfd_;
  bool group_ = false;
  std::optional<ChildExit> exit_;
};

}  // namespace baton
