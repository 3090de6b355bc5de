#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "shared/support/result.hpp"
#include "shared/transport/transport_context.hpp"

namespace baton {

/// A worker's or client's end: a DEALER that hands messages only to an established connection and reconnects
/// by itself. Every call returns at once. Only the owning thread may use it. What is still queued when it is
/// closed is sent within the linger time, unless `drop_on_close` was called.
class DealerSocket {
 public:
  /// `routing_id` must never have been used before with this socket file: a second peer of the same name is
  /// ignored without an error. The path need not exist yet.
  static Result<DealerSocket> connect(TransportContext& context, const std::string& path,
                                      const std::string& routing_id, const SocketOptions& options);
  ~DealerSocket();
  DealerSocket(DealerSocket&&) noexcept;
  DealerSocket& operator=(DealerSocket&&) noexcept;

  /// kBusy: not connected at the moment, or the queue is full; wait for PollSet's `writable`.
  Status send(std::string_view body);

  /// The next message, or nothing. Messages that are not one frame are dropped and counted.
  Result<std::optional<std::string>> receive();

  /// Closing throws away what has not been sent yet.
  void drop_on_close();

  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

  /// For PollSet.
  [[nodiscard]] void* handle() const noexcept;

 private:
  struct Impl;
  explicit DealerSocket(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
  std::uint64_t dropped_ = 0;
};

}  // namespace baton
