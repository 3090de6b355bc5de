#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "shared/support/result.hpp"
#include "shared/transport/transport_context.hpp"

namespace baton {

struct RoutedMessage {
  std::string peer;  ///< the sender's routing id
  std::string body;
};

/// The coordinator's end: a ROUTER with MANDATORY, so that nothing vanishes without an error. Every call
/// returns at once. Only the owning thread may use it.
class RouterSocket {
 public:
  /// Binds a socket file of `mode`. Only the holder of the run directory's lock may call it: binding takes
  /// the path over from whoever bound it before.
  static Result<RouterSocket> bind(TransportContext& context, const std::string& path, mode_t mode,
                                   const SocketOptions& options);
  ~RouterSocket();
  RouterSocket(RouterSocket&&) noexcept;
  RouterSocket& operator=(RouterSocket&&) noexcept;

  /// kPeerGone: nobody has that routing id; kBusy: the peer is not reading and its queue is full.
  Status send(const std::string& peer, std::string_view body);

  /// The next message, or nothing. Messages that are not one body frame are dropped and counted.
  Result<std::optional<RoutedMessage>> receive();

  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

  /// For PollSet.
  [[nodiscard]] void* handle() const noexcept;

 private:
  struct Impl;
  explicit RouterSocket(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
  std::uint64_t dropped_ = 0;
};

}  // namespace baton
