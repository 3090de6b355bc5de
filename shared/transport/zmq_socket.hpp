#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <zmq.hpp>

#include "shared/support/result.hpp"
#include "shared/transport/transport_context.hpp"

/// What the sockets of this folder have in common: calls of cppzmq whose exceptions have become Status.
namespace baton {

struct TransportContext::Impl {
  zmq::context_t context{1};
};

namespace transport {

/// Options that every socket has. No socket of ours waits for ever when it is closed.
void apply_options(zmq::socket_t& socket, const SocketOptions& options);

/// Status of a ZeroMQ failure: EHOSTUNREACH is kPeerGone, EAGAIN is kBusy.
Status zmq_status(std::string_view what, int error);

/// Sends the frames as one message without waiting.
Status send_frames(zmq::socket_t& socket, std::initializer_list<std::string_view> frames,
                   std::string_view what);

/// One whole message, or nothing when none is waiting. Frames beyond `limit` are read and dropped, and count
/// in `frame_count`.
struct ReceivedFrames {
  std::vector<std::string> frames;
  std::size_t frame_count = 0;
};
Result<std::optional<ReceivedFrames>> receive_frames(zmq::socket_t& socket, std::size_t limit,
                                                     std::string_view what);

}  // namespace transport

}  // namespace baton
