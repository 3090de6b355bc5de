#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "shared/contract/messages.pb.h"
#include "shared/support/event_fd.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// Messages on their way from the threads that compute to the one that owns the socket. `post` and
/// `request_exit` may be called from any thread; the rest by the owner of the socket.
class Outbox {
 public:
  explicit Outbox(EventFd event) noexcept : event_(std::move(event)) {}

  void post(wire::Envelope envelope);

  /// Ends the session with this exit code once everything posted before has been sent. The first one counts.
  void request_exit(int code);

  [[nodiscard]] int fd() const noexcept { return event_.fd(); }

  /// Everything posted since the last call, in order.
  std::vector<wire::Envelope> take();
  [[nodiscard]] std::optional<int> exit_code() const;

 private:
  EventFd event_;
  mutable std::mutex mutex_;
  std::vector<wire::Envelope> posted_;
  std::optional<int> exit_code_;
};

}  // namespace baton
