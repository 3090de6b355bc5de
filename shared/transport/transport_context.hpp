#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "shared/support/clock.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// The ZeroMQ context of a process. Outlives every socket made from it; one per process.
class TransportContext {
 public:
  static Result<TransportContext> create();
  ~TransportContext();
  TransportContext(TransportContext&&) noexcept;
  TransportContext& operator=(TransportContext&&) noexcept;

  /// For the sockets of this folder.
  struct Impl;
  [[nodiscard]] Impl& impl() noexcept { return *impl_; }

 private:
  explicit TransportContext(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

struct SocketOptions {
  std::size_t max_message_bytes = std::size_t{1} << 20;  ///< a peer that sends more is disconnected
  int high_water_mark = 1000;                            ///< messages queued for one peer
  Milliseconds linger{200};                              ///< how long closing waits for what is queued
};

/// The ipc endpoint of a socket file; kLimit when the path does not fit a Unix socket address.
Result<std::string> ipc_endpoint(const std::string& path);

}  // namespace baton
