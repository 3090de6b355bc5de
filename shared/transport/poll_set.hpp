#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "shared/support/clock.hpp"
#include "shared/support/result.hpp"
#include "shared/transport/dealer_socket.hpp"
#include "shared/transport/router_socket.hpp"

namespace baton {

struct PollEvent {
  std::uint64_t token = 0;  ///< as given to `watch`
  bool readable = false;
  bool writable = false;
};

/// Waits for sockets and descriptors together. Level-triggered: an event comes again until it is handled.
/// Only the owning thread may use it. What is watched must be unwatched before it is closed.
class PollSet {
 public:
  PollSet();
  ~PollSet();
  PollSet(PollSet&&) noexcept;
  PollSet& operator=(PollSet&&) noexcept;

  void watch(const RouterSocket& socket, std::uint64_t token);
  /// `writable`: also wake when a message can be sent.
  void watch(const DealerSocket& socket, std::uint64_t token, bool writable = false);
  /// Readable, or hung up.
  void watch_fd(int fd, std::uint64_t token);
  /// Changes what is watched under `token`; nothing when there is no such token.
  void want_writable(std::uint64_t token, bool writable) noexcept;
  /// Forgets everything watched under `token`.
  void unwatch(std::uint64_t token);

  /// What is ready now, waiting at most `timeout` (nothing: for ever). Empty after a timeout or a signal.
  Result<std::vector<PollEvent>> wait(std::optional<Milliseconds> timeout);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace baton
