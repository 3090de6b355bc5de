#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shared/support/clock.hpp"

namespace baton {

/// Tells the service manager how the process fares, as sd_notify does: a datagram to $NOTIFY_SOCKET. Does
/// nothing where there is no such manager, and never blocks. One thread uses it.
class ServiceNotify {
 public:
  /// From NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID.
  static ServiceNotify from_environment();

  void ready(std::string_view status) const;
  void status(std::string_view text) const;
  void stopping() const;

  /// Says that the loop turns, when that is due: twice in each interval of the watchdog.
  void beat(Instant now);
  /// When `beat` is due; Instant::max(): never.
  [[nodiscard]] Instant next_beat() const noexcept { return next_beat_; }

 private:
  void send(std::string_view text) const;

  std::string address_;  ///< empty: nobody listens; '@' first: an abstract name
  Milliseconds pause_{0};
  Instant next_beat_ = Instant::max();
};

}  // namespace baton
