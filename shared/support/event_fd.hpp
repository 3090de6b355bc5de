#pragma once

#include "shared/support/result.hpp"
#include "shared/support/unique_fd.hpp"

namespace baton {

/// Wakes a poll loop from another thread. `signal` may be called from any thread; `drain` by the loop alone.
class EventFd {
 public:
  static Result<EventFd> create();

  [[nodiscard]] int fd() const noexcept { return fd_.get(); }
  void signal() noexcept;
  /// Makes the descriptor quiet until the next signal.
  void drain() noexcept;

 private:
  explicit EventFd(UniqueFd fd) noexcept : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

}  // namespace baton
