#pragma once

#include <sys/types.h>

#include <cstdint>

#include "shared/support/result.hpp"
#include "shared/support/unique_fd.hpp"

namespace baton {

/// Names one life of one process: a pid alone is used again.
struct ProcessIdentity {
  pid_t pid = 0;
  std::uint64_t start_time = 0;  ///< clock ticks since boot, from /proc/PID/stat
  friend bool operator==(const ProcessIdentity&, const ProcessIdentity&) = default;
};

/// kNotFound when there is no such process.
Result<std::uint64_t> process_start_time(pid_t pid);

/// The identity of the calling process.
Result<ProcessIdentity> this_process();

/// A pidfd. Its descriptor becomes readable when the process has ended (a zombie has ended), and signals sent
/// through it can never reach a later process with the same pid.
class ProcessHandle {
 public:
  /// Opens first and compares start time, owner and pid namespace afterwards, so the process cannot change
  /// under the check. kNotFound: it is gone, or the pid now belongs to another; kPermission: another user's.
  static Result<ProcessHandle> open(ProcessIdentity identity);

  [[nodiscard]] const ProcessIdentity& identity() const noexcept { return identity_; }
  [[nodiscard]] int fd() const noexcept { return fd_.get(); }
  [[nodiscard]] bool has_ended() const noexcept;

  /// Success too when the process has already ended.
  Status send_signal(int signal) const;

 private:
  ProcessHandle(UniqueFd fd, ProcessIdentity identity) noexcept : fd_(std::move(fd)), identity_(identity) {}
  UniqueFd fd_;
  ProcessIdentity identity_;
};

}  // namespace baton
