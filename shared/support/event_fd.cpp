#include "shared/support/event_fd.hpp"

#include <sys/eventfd.h>

#include <cerrno>
#include <cstdint>

namespace baton {

Result<EventFd> EventFd::create() {
  UniqueFd fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!fd.is_open()) {
    return errno_status("eventfd", errno);
  }
  return EventFd(std::move(fd));
}

void EventFd::signal() noexcept {
  const std::uint64_t one = 1;
  // A full counter (EAGAIN) is already readable: nothing is lost.
  [[maybe_unused]] const ssize_t count = ::write(fd_.get(), &one, sizeof one);
}

void EventFd::drain() noexcept {
  std::uint64_t value = 0;
  [[maybe_unused]] const ssize_t count = ::read(fd_.get(), &value, sizeof value);
}

}  // namespace baton
