#include "client/coordinator_client.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "shared/contract/names.hpp"
#include "shared/support/secure_random.hpp"
#include "shared/support/unique_fd.hpp"

namespace baton {

namespace {

constexpr std::uint64_t kSocketToken = 1;
constexpr std::uint64_t kWatchedToken = 2;

Result<std::string> fresh_routing_id() {
  BATON_ASSIGN_OR_RETURN(const std::uint64_t nonce, random_u64());
  return "client-" + std::to_string(::getpid()) + "-" + std::to_string(nonce);
}

std::optional<Milliseconds> time_left(std::optional<Instant> deadline) {
  if (!deadline) {
    return std::nullopt;
  }
  return std::max(Milliseconds(0), std::chrono::ceil<Milliseconds>(*deadline - now()));
}

/// Busy and Refused as the failures that they are.
Status failure_in(const wire::Envelope& reply) {
  if (reply.has_busy()) {
    return {StatusCode::kBusy,
            reply.busy().text() + "; try again in " + std::to_string(reply.busy().retry_after_ms()) + " ms"};
  }
  if (reply.has_refused()) {
    return status_from_wire(reply.refused().code(), reply.refused().text());
  }
  return Status::ok();
}

}  // namespace

bool service_is_running(const std::string& run_dir) {
  const std::string path = client_socket_path(run_dir);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return false;
  }
  std::memcpy(address.sun_path, path.c_str(), path.size());
  const UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return fd.is_open() &&
         ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

CoordinatorClient::CoordinatorClient(std::unique_ptr<TransportContext> context, DealerSocket socket,
                                     std::vector<int> watched, std::string run_dir)
    : context_(std::move(context)),
      socket_(std::make_unique<DealerSocket>(std::move(socket))),
      run_dir_(std::move(run_dir)) {
  poll_.watch(*socket_, kSocketToken);
  for (const int fd : watched) {
    poll_.watch_fd(fd, kWatchedToken);
  }
}

Result<CoordinatorClient> CoordinatorClient::connect(const std::string& run_dir, std::vector<int> watched) {
  BATON_ASSIGN_OR_RETURN(TransportContext made, TransportContext::create());
  auto context = std::make_unique<TransportContext>(std::move(made));
  BATON_ASSIGN_OR_RETURN(const std::string routing_id, fresh_routing_id());
  SocketOptions options;
  options.max_message_bytes = kMaxFrameBytes;
  BATON_ASSIGN_OR_RETURN(DealerSocket socket,
                         DealerSocket::connect(*context, client_socket_path(run_dir), routing_id, options));
  return CoordinatorClient(std::move(context), std::move(socket), std::move(watched), run_dir);
}

Status CoordinatorClient::wait(bool writable, std::optional<Instant> deadline) {
  poll_.want_writable(kSocketToken, writable);
  BATON_ASSIGN_OR_RETURN(const std::vector<PollEvent> events, poll_.wait(time_left(deadline)));
  for (const PollEvent& event : events) {
    if (event.token == kWatchedToken) {
      return {StatusCode::kPeerGone, "a process of the pipeline has ended"};
    }
  }
  if (events.empty() && deadline && *deadline <= now()) {
    return {StatusCode::kDeadline, run_dir_ + ": no answer from the coordinator in time"};
  }
  return Status::ok();
}

Result<std::uint64_t> CoordinatorClient::send(wire::Envelope request, std::optional<Instant> deadline) {
  request.set_request(++last_request_);
  BATON_ASSIGN_OR_RETURN(const std::string frame, encode(request));
  for (;;) {
    const Status sent = socket_->send(frame);
    if (sent.is_ok()) {
      return last_request_;
    }
    if (sent.code() != StatusCode::kBusy) {
      return sent;
    }
    BATON_RETURN_IF_ERROR(wait(true, deadline));
  }
}

Result<wire::Envelope> CoordinatorClient::receive(std::uint64_t number, std::optional<Instant> deadline) {
  for (;;) {
    BATON_ASSIGN_OR_RETURN(const std::optional<std::string> frame, socket_->receive());
    if (!frame) {
      BATON_RETURN_IF_ERROR(wait(false, deadline));
      continue;
    }
    BATON_ASSIGN_OR_RETURN(wire::Envelope reply, decode(*frame));
    if (reply.request() == number) {
      BATON_RETURN_IF_ERROR(failure_in(reply));
      return reply;
    }
  }
}

Result<wire::Envelope> CoordinatorClient::call(wire::Envelope request, std::optional<Instant> deadline) {
  BATON_ASSIGN_OR_RETURN(const std::uint64_t number, send(std::move(request), deadline));
  return receive(number, deadline);
}

}  // namespace baton
