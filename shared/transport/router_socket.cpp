#include "shared/transport/router_socket.hpp"

#include <sys/stat.h>

#include <cerrno>

#include "shared/transport/zmq_socket.hpp"

namespace baton {

struct RouterSocket::Impl {
  zmq::socket_t socket;
  std::string path;
};

Result<RouterSocket> RouterSocket::bind(TransportContext& context, const std::string& path, mode_t mode,
                                        const SocketOptions& options) {
  BATON_ASSIGN_OR_RETURN(const std::string endpoint, ipc_endpoint(path));
  try {
    auto impl = std::make_unique<Impl>(Impl{zmq::socket_t(context.impl().context, ZMQ_ROUTER), path});
    transport::apply_options(impl->socket, options);
    impl->socket.set(zmq::sockopt::router_mandatory, 1);
    impl->socket.bind(endpoint);
    if (::chmod(path.c_str(), mode) != 0) {
      return errno_status(path, errno);
    }
    return RouterSocket(std::move(impl));
  } catch (const zmq::error_t& error) {
    return transport::zmq_status(path, error.num());
  }
}

RouterSocket::RouterSocket(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
RouterSocket::~RouterSocket() = default;
RouterSocket::RouterSocket(RouterSocket&&) noexcept = default;
RouterSocket& RouterSocket::operator=(RouterSocket&&) noexcept = default;

Status RouterSocket::send(const std::string& peer, std::string_view body) {
  return transport::send_frames(impl_->socket, {peer, body}, impl_->path);
}

Result<std::optional<RoutedMessage>> RouterSocket::receive() {
  while (true) {
    BATON_ASSIGN_OR_RETURN(auto received, transport::receive_frames(impl_->socket, 2, impl_->path));
    if (!received) {
      return std::optional<RoutedMessage>();
    }
    if (received->frame_count == 2) {
      return std::optional(RoutedMessage{std::move(received->frames[0]), std::move(received->frames[1])});
    }
    ++dropped_;
  }
}

void* RouterSocket::handle() const noexcept {
  return impl_->socket.handle();
}

}  // namespace baton
