#include "shared/transport/dealer_socket.hpp"

#include "shared/transport/zmq_socket.hpp"

namespace baton {

namespace {

constexpr int kFirstReconnectMs = 5;
constexpr int kLastReconnectMs = 250;

}  // namespace

struct DealerSocket::Impl {
  zmq::socket_t socket;
  std::string path;
};

Result<DealerSocket> DealerSocket::connect(TransportContext& context, const std::string& path,
                                           const std::string& routing_id, const SocketOptions& options) {
  BATON_ASSIGN_OR_RETURN(const std::string endpoint, ipc_endpoint(path));
  try {
    auto impl = std::make_unique<Impl>(Impl{zmq::socket_t(context.impl().context, ZMQ_DEALER), path});
    transport::apply_options(impl->socket, options);
    impl->socket.set(zmq::sockopt::immediate, 1);
    impl->socket.set(zmq::sockopt::routing_id, routing_id);
    impl->socket.set(zmq::sockopt::reconnect_ivl, kFirstReconnectMs);
    impl->socket.set(zmq::sockopt::reconnect_ivl_max, kLastReconnectMs);
    impl->socket.connect(endpoint);
    return DealerSocket(std::move(impl));
  } catch (const zmq::error_t& error) {
    return transport::zmq_status(path, error.num());
  }
}

DealerSocket::DealerSocket(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
DealerSocket::~DealerSocket() = default;
DealerSocket::DealerSocket(DealerSocket&&) noexcept = default;
DealerSocket& DealerSocket::operator=(DealerSocket&&) noexcept = default;

Status DealerSocket::send(std::string_view body) {
  return transport::send_frames(impl_->socket, {body}, impl_->path);
}

Result<std::optional<std::string>> DealerSocket::receive() {
  while (true) {
    BATON_ASSIGN_OR_RETURN(auto received, transport::receive_frames(impl_->socket, 1, impl_->path));
    if (!received) {
      return std::optional<std::string>();
    }
    if (received->frame_count == 1) {
      return std::optional(std::move(received->frames[0]));
    }
    ++dropped_;
  }
}

void DealerSocket::drop_on_close() {
  try {
    impl_->socket.set(zmq::sockopt::linger, 0);
  } catch (const zmq::error_t&) {
    // Only an invalid socket refuses; it has nothing to send either.
    return;
  }
}

void* DealerSocket::handle() const noexcept {
  return impl_->socket.handle();
}

}  // namespace baton
