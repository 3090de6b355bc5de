#pragma once

#include <string>
#include <string_view>

#include "shared/support/result.hpp"
#include "shared/support/unique_fd.hpp"

namespace baton {

enum class LockMode { kShared, kExclusive };

/// flock on an open descriptor, without waiting; kBusy when somebody holds it the other way. The lock lives
/// as long as the open file description, so a forked child that kept the descriptor keeps the lock too.
Status lock_descriptor(int fd, LockMode mode, std::string_view name);

/// A lock file held exclusively until destroyed or until the process dies. The file itself is never removed:
/// removing it would race with others that wait for it.
class FileLock {
 public:
  /// Creates the file (0600) where it is missing and writes this process' id into it. kBusy names the
  /// process that holds it.
  static Result<FileLock> acquire(const std::string& path);

  [[nodiscard]] int fd() const noexcept { return fd_.get(); }

 private:
  explicit FileLock(UniqueFd fd) noexcept : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

}  // namespace baton
