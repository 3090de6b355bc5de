#include "shared/support/service_notify.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "shared/support/concat.hpp"
#include "shared/support/unique_fd.hpp"

namespace baton {

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::uint64_t number(const std::string& text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

ServiceNotify ServiceNotify::from_environment() {
  ServiceNotify notify;
  notify.address_ = environment("NOTIFY_SOCKET");
  if (notify.address_.empty() || notify.address_.size() >= sizeof(sockaddr_un::sun_path)) {
    notify.address_.clear();
    return notify;
  }
  const std::string pid = environment("WATCHDOG_PID");
  const std::uint64_t interval_us = number(environment("WATCHDOG_USEC"));
  if (interval_us != 0 && (pid.empty() || number(pid) == static_cast<std::uint64_t>(::getpid()))) {
    notify.pause_ = Milliseconds(std::max<std::uint64_t>(1, interval_us / 2000));
    notify.next_beat_ = Instant{};
  }
  return notify;
}

void ServiceNotify::ready(std::string_view status) const {
  send(concat("READY=1\nSTATUS=", status));
}

void ServiceNotify::status(std::string_view text) const {
  send(concat("STATUS=", text));
}

void ServiceNotify::stopping() const {
  send("STOPPING=1");
}

void ServiceNotify::beat(Instant now) {
  if (now < next_beat_) {
    return;
  }
  next_beat_ = now + pause_;
  send("WATCHDOG=1");
}

/// A manager that does not read loses the message: the next beat comes anyway.
void ServiceNotify::send(std::string_view text) const {
  if (address_.empty()) {
    return;
  }
  const UniqueFd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, address_.data(), address_.size());
  if (address.sun_path[0] == '@') {
    address.sun_path[0] = '\0';
  }
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
  static_cast<void>(::sendto(fd.get(), text.data(), text.size(), MSG_NOSIGNAL,
                             reinterpret_cast<const sockaddr*>(&address), length));
}

}  // namespace baton
