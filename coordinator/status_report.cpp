// What `status` shows.
#include <algorithm>

#include "coordinator/coordinator.hpp"

namespace baton {

namespace {

std::uint64_t milliseconds_since(Instant since, Instant now) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<Milliseconds>(now - since).count());
}

std::string_view state_name(WorkerState state) {
  switch (state) {
    case WorkerState::kExpected:
      return "expected";
    case WorkerState::kReady:
      return "ready";
    case WorkerState::kLeaving:
      return "leaving";
    case WorkerState::kDoomed:
      return "doomed";
  }
  return "unknown";
}

void describe(const Worker& worker, std::size_t segments, Instant now, wire::WorkerStatus& out) {
  out.set_epoch(worker.epoch);
  out.set_role(worker.role == WorkerRole::kGpu ? wire::ROLE_GPU : wire::ROLE_SYNTH);
  out.set_pid(worker.pid);
  out.set_backend(worker.backend);
  out.set_lanes(worker.lanes);
  out.set_busy(static_cast<std::uint32_t>(worker.tasks.size()));
  out.set_completed(worker.completed);
  out.set_failed(worker.failed);
  out.set_state(std::string(state_name(worker.state)));
  out.set_up_ms(worker.since == Instant{} ? 0 : milliseconds_since(worker.since, now));
  out.set_segments(static_cast<std::uint32_t>(segments));
}

void describe(SlotId id, const Slot& slot, wire::SlotStatus& out) {
  out.set_slot(id);
  out.set_state(slot.creating ? "creating" : std::string(to_string(slot.word.state)));
  out.set_generation(slot.word.generation);
  out.set_owner(slot.word.owner);
  out.set_job(slot.job);
  out.set_capacity(slot.capacity);
  out.set_segment(slot.segment);
}

}  // namespace

void Coordinator::on_status_request(const FromClient& event) {
  wire::Envelope message;
  wire::StatusReply& status = *message.mutable_status_reply();
  status.set_pid(config_.pid);
  status.set_up_ms(milliseconds_since(started_, now_));
  status.set_session(config_.session);
  status.set_incarnation(config_.incarnation);
  status.set_draining(draining_);
  status.set_version(config_.version);
  status.set_memory_budget(config_.memory_budget);
  status.set_memory_used(slots_.memory_used());
  wire::ScaleHint& scale = *status.mutable_scale();
  for (std::uint32_t index = 0; index < kMaxWorkers; ++index) {
    const Worker* worker = workers_.at_index(index);
    if (worker == nullptr) {
      continue;
    }
    std::size_t segments = 0;
    for (SlotId id = 0; id < slots_.size(); ++id) {
      segments += slots_.at(id).attached.test(index) ? 1 : 0;
    }
    wire::WorkerStatus& out = *status.add_workers();
    describe(*worker, segments, now_, out);
    for (const auto& [id, bytes] : worker->resident) {
      wire::LoadedKey& key = *out.add_keys();
      key.set_circuit(id);
      key.set_bytes(bytes);
      if (const Circuit* circuit = circuits_.find(id)) {
        key.set_name(circuit->name.empty() ? circuit->info.source().key_path() : circuit->name);
      }
    }
    const std::uint64_t idle = worker->has_room() ? worker->lanes - worker->tasks.size() : 0;
    if (worker->role == WorkerRole::kSynth) {
      scale.set_idle_synth(scale.idle_synth() + idle);
    } else {
      scale.set_idle_lanes(scale.idle_lanes() + idle);
    }
  }
  for (SlotId id = 0; id < slots_.size(); ++id) {
    if (slots_.at(id).exists()) {
      describe(id, slots_.at(id), *status.add_slots());
    }
  }
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    wire::Counter& counter = *status.add_counters();
    counter.set_name(std::string(kCounterNames[i]));
    counter.set_value(counters_.at(static_cast<Counter>(i)));
  }
  for (const auto& [circuit, jobs] : jobs_.waiting_fill()) {
    scale.set_waiting_fill(scale.waiting_fill() + jobs.size());
  }
  scale.set_waiting_prove(jobs_.waiting_prove().size());
  status.set_jobs_waiting(jobs_.waiting());
  status.set_jobs_running(jobs_.open() - std::min(jobs_.open(), jobs_.waiting()));
  reply(event, std::move(message));
}

}  // namespace baton
