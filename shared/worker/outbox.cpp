#include "shared/worker/outbox.hpp"

#include <utility>

namespace baton {

void Outbox::post(wire::Envelope envelope) {
  {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(envelope));
  }
  event_.signal();
}

void Outbox::request_exit(int code) {
  {
    const std::lock_guard lock(mutex_);
    if (!exit_code_) {
      exit_code_ = code;
    }
  }
  event_.signal();
}

std::vector<wire::Envelope> Outbox::take() {
  event_.drain();
  const std::lock_guard lock(mutex_);
  return std::exchange(posted_, {});
}

std::optional<int> Outbox::exit_code() const {
  const std::lock_guard lock(mutex_);
  return exit_code_;
}

}  // namespace baton
