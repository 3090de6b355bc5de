// Leaving: what runs is finished, then workers are told to go, then nothing is left behind.
#include <algorithm>

#include "coordinator/coordinator.hpp"

namespace baton {

namespace {
/// How long workers have to end after SHUTDOWN before they are killed.
constexpr Milliseconds kShutdownGrace{5'000};
}  // namespace

void Coordinator::begin_drain(Milliseconds grace) {
  draining_ = true;
  drain_until_ = std::min(drain_until_, now_ + grace);
  log(LogLevel::kInfo, "draining");
}

/// Work that ends without a new fill.
bool Coordinator::has_work() const {
  if (!pending_.empty() && journal_failure_.empty()) {
    return true;
  }
  for (const auto& [epoch, worker] : workers_.all()) {
    if (!worker.tasks.empty()) {
      return true;
    }
  }
  return !jobs_.waiting_prove().empty() && workers_.lanes(WorkerRole::kGpu) != 0;
}

void Coordinator::advance_drain() {
  if (!draining_ || finished_) {
    return;
  }
  if (!shutdown_sent_ && (!has_work() || now_ >= drain_until_)) {
    shutdown_sent_ = true;
    drain_until_ = now_ + kShutdownGrace;
    for (auto& [epoch, worker] : workers_.all()) {
      wire::Envelope message = envelope();
      message.mutable_shutdown()->set_grace_ms(static_cast<std::uint64_t>(kShutdownGrace.count()));
      send(worker, std::move(message));
    }
  }
  if (shutdown_sent_ && now_ >= drain_until_) {
    drain_until_ = Instant::max();
    for (auto& [epoch, worker] : workers_.all()) {
      worker.state = WorkerState::kDoomed;
      emit(KillWorker{epoch});
    }
  }
  if (shutdown_sent_ && workers_.all().empty()) {
    finished_ = true;
    for (SlotId id = 0; id < slots_.size(); ++id) {
      if (slots_.at(id).segment != 0 && !slots_.at(id).creating) {
        emit(DropSegment{id, slots_.at(id).segment});
      }
    }
    emit(Finish{});
  }
}

}  // namespace baton
