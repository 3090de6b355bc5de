#pragma once

#include <initializer_list>
#include <optional>

#include "shared/support/result.hpp"
#include "shared/support/unique_fd.hpp"

namespace baton {

/// Signals as a descriptor for a poll loop. Create it before the first thread starts: the signals are blocked
/// in the calling thread and in those it starts later. They stay blocked when it is destroyed.
class SignalFd {
 public:
  static Result<SignalFd> create(std::initializer_list<int> signals);

  [[nodiscard]] int fd() const noexcept { return fd_.get(); }
  /// The next pending signal, or nothing.
  std::optional<int> take() noexcept;

 private:
  explicit SignalFd(UniqueFd fd) noexcept : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

}  // namespace baton
