#include "shared/transport/poll_set.hpp"

#include <algorithm>
#include <cerrno>

#include <zmq.hpp>

#include "shared/transport/zmq_socket.hpp"

namespace baton {

/// `items[i]` is watched under `tokens[i]`.
struct PollSet::Impl {
  std::vector<zmq_pollitem_t> items;
  std::vector<std::uint64_t> tokens;

  void add(void* socket, int fd, short events, std::uint64_t token) {
    items.push_back({socket, fd, events, 0});
    tokens.push_back(token);
  }
};

PollSet::PollSet() : impl_(std::make_unique<Impl>()) {}
PollSet::~PollSet() = default;
PollSet::PollSet(PollSet&&) noexcept = default;
PollSet& PollSet::operator=(PollSet&&) noexcept = default;

void PollSet::watch(const RouterSocket& socket, std::uint64_t token) {
  impl_->add(socket.handle(), -1, ZMQ_POLLIN, token);
}

void PollSet::watch(const DealerSocket& socket, std::uint64_t token, bool writable) {
  impl_->add(socket.handle(), -1, static_cast<short>(writable ? ZMQ_POLLIN | ZMQ_POLLOUT : ZMQ_POLLIN),
             token);
}

void PollSet::watch_fd(int fd, std::uint64_t token) {
  impl_->add(nullptr, fd, ZMQ_POLLIN, token);
}

void PollSet::want_writable(std::uint64_t token, bool writable) noexcept {
  for (std::size_t i = 0; i < impl_->tokens.size(); ++i) {
    if (impl_->tokens[i] == token) {
      impl_->items[i].events = static_cast<short>(writable ? ZMQ_POLLIN | ZMQ_POLLOUT : ZMQ_POLLIN);
    }
  }
}

void PollSet::unwatch(std::uint64_t token) {
  for (std::size_t i = impl_->tokens.size(); i-- > 0;) {
    if (impl_->tokens[i] == token) {
      impl_->tokens.erase(impl_->tokens.begin() + static_cast<std::ptrdiff_t>(i));
      impl_->items.erase(impl_->items.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

Result<std::vector<PollEvent>> PollSet::wait(std::optional<Milliseconds> timeout) {
  const long timeout_ms = timeout ? static_cast<long>(std::max<std::int64_t>(timeout->count(), 0)) : -1;
  const int ready = zmq_poll(impl_->items.data(), static_cast<int>(impl_->items.size()), timeout_ms);
  if (ready < 0 && zmq_errno() != EINTR) {
    return transport::zmq_status("zmq_poll", zmq_errno());
  }
  std::vector<PollEvent> events;
  for (std::size_t i = 0; ready > 0 && i < impl_->items.size(); ++i) {
    const short seen = impl_->items[i].revents;
    if (seen != 0) {
      events.push_back(
          {impl_->tokens[i], (seen & (ZMQ_POLLIN | ZMQ_POLLERR)) != 0, (seen & ZMQ_POLLOUT) != 0});
    }
  }
  return events;
}

}  // namespace baton
