#include "shared/transport/zmq_socket.hpp"

#include <sys/un.h>

#include <cerrno>

namespace baton {

Result<TransportContext> TransportContext::create() {
  try {
    return TransportContext(std::make_unique<Impl>());
  } catch (const zmq::error_t& error) {
    return transport::zmq_status("ZeroMQ context", error.num());
  }
}

TransportContext::TransportContext(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
TransportContext::~TransportContext() = default;
TransportContext::TransportContext(TransportContext&&) noexcept = default;
TransportContext& TransportContext::operator=(TransportContext&&) noexcept = default;

Result<std::string> ipc_endpoint(const std::string& path) {
  if (path.size() >= sizeof(sockaddr_un::sun_path)) {
    return Status(StatusCode::kLimit, path + ": socket path of " + std::to_string(path.size()) +
                                          " bytes, at most " +
                                          std::to_string(sizeof(sockaddr_un::sun_path) - 1) +
                                          " fit; choose a shorter run directory");
  }
  return "ipc://" + path;
}

namespace transport {

void apply_options(zmq::socket_t& socket, const SocketOptions& options) {
  socket.set(zmq::sockopt::linger, static_cast<int>(options.linger.count()));
  socket.set(zmq::sockopt::sndhwm, options.high_water_mark);
  socket.set(zmq::sockopt::rcvhwm, options.high_water_mark);
  socket.set(zmq::sockopt::sndtimeo, 0);
  socket.set(zmq::sockopt::rcvtimeo, 0);
  socket.set(zmq::sockopt::maxmsgsize, static_cast<std::int64_t>(options.max_message_bytes));
}

Status zmq_status(std::string_view what, int error) {
  if (error < ZMQ_HAUSNUMERO) {
    return errno_status(what, error);
  }
  return internal_error(std::string(what) + ": " + zmq_strerror(error));
}

Status send_frames(zmq::socket_t& socket, std::initializer_list<std::string_view> frames,
                   std::string_view what) {
  try {
    std::size_t left = frames.size();
    for (const std::string_view frame : frames) {
      const zmq::send_flags more = --left > 0 ? zmq::send_flags::sndmore : zmq::send_flags::none;
      if (!socket.send(zmq::buffer(frame), more | zmq::send_flags::dontwait)) {
        return {StatusCode::kBusy, std::string(what) + ": the peer is not reading"};
      }
    }
  } catch (const zmq::error_t& error) {
    return zmq_status(what, error.num());
  }
  return Status::ok();
}

Result<std::optional<ReceivedFrames>> receive_frames(zmq::socket_t& socket, std::size_t limit,
                                                     std::string_view what) {
  ReceivedFrames received;
  try {
    zmq::message_t frame;
    do {
      if (!socket.recv(frame, zmq::recv_flags::dontwait)) {
        return std::optional<ReceivedFrames>();
      }
      ++received.frame_count;
      if (received.frames.size() < limit) {
        received.frames.push_back(frame.to_string());
      }
    } while (frame.more());
  } catch (const zmq::error_t& error) {
    return zmq_status(what, error.num());
  }
  return std::optional(std::move(received));
}

}  // namespace transport

}  // namespace baton
