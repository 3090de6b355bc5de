// Pairing: which job goes to which slot and worker, and the grants themselves.
#include <algorithm>

#include "coordinator/coordinator.hpp"
#include "coordinator/scheduler.hpp"
#include "shared/contract/codec.hpp"

namespace baton {

namespace {

/// Every so many grants the oldest job goes first, whatever its priority.
constexpr std::uint64_t kFairTurn = 16;

double milliseconds_between(Instant from, Instant to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

scheduler::Wish wish_of(const Job& job, const Circuit& circuit) {
  return {circuit.slot_bytes, circuit.id, job.rank() == 0, job.suspect, job.avoid};
}

std::uint64_t count_ms(Milliseconds duration) {
  return static_cast<std::uint64_t>(duration.count());
}

}  // namespace

void Coordinator::schedule() {
  jobs_.wake(now_);
  if (finished_ || shutdown_sent_) {
    return;
  }
  schedule_proves();
  if (!draining_) {
    schedule_preparations();
    schedule_fills();
  }
}

void Coordinator::schedule_preparations() {
  const std::vector<CircuitId> ids(to_prepare_.begin(), to_prepare_.end());
  for (const CircuitId id : ids) {
    Circuit* circuit = circuits_.find(id);
    Worker* worker = scheduler::pick_synth(workers_, {}, nullptr);
    if (worker == nullptr) {
      return;
    }
    to_prepare_.erase(id);
    if (circuit != nullptr && circuit->stage == CircuitStage::kWaiting) {
      grant_prepare(*circuit, *worker);
    }
  }
}

void Coordinator::schedule_proves() {
  if (jobs_.waiting_prove().empty()) {
    return;
  }
  const bool reserve_lane = workers_.lanes(WorkerRole::kGpu) >= 3;
  const bool oldest_first = grants_ % kFairTurn == 0;
  for (const JobId id : jobs_.waiting_prove().ordered(slots_.size(), oldest_first)) {
    Job& job = *jobs_.find(id);
    Circuit* circuit = circuits_.find(job.circuit);
    Worker* worker = scheduler::pick_gpu(workers_, wish_of(job, *circuit), slots_.at(job.slot), reserve_lane);
    if (worker != nullptr) {
      grant_prove(job, *circuit, *worker);
    } else if (job.suspect && scheduler::is_attached_by_gpu(workers_, slots_.at(job.slot))) {
      return;  // those behind wait too, so that a worker becomes idle for it
    }
  }
}

void Coordinator::schedule_fills() {
  bool progress = true;
  while (progress && !jobs_.waiting_fill().empty()) {
    progress = false;
    if (scheduler::pick_synth(workers_, {}, nullptr) == nullptr) {
      return;
    }
    const bool oldest_first = grants_ % kFairTurn == 0;
    std::vector<std::pair<std::size_t, JobId>> heads;
    for (const auto& [circuit, waiting] : jobs_.waiting_fill()) {
      for (const JobId id : waiting.ordered(1, oldest_first)) {
        heads.emplace_back(oldest_first ? 0 : jobs_.find(id)->rank(), id);
      }
    }
    std::sort(heads.begin(), heads.end());
    for (const auto& [rank, id] : heads) {
      if (try_fill(*jobs_.find(id))) {
        progress = true;
        break;
      }
    }
  }
}

bool Coordinator::try_fill(Job& job) {
  Circuit& circuit = *circuits_.find(job.circuit);
  const scheduler::Wish wish = wish_of(job, circuit);
  const bool reserve = slots_wanted() >= 3 && !can_grow(circuit);
  SlotId slot = scheduler::pick_slot(slots_, workers_, wish, reserve);
  if (slot == kMaxSlots) {
    if (!reserve && scheduler::has_usable_slot(slots_, wish)) {
      return false;  // an idle worker is about to attach it
    }
    if (grow(job, circuit)) {
      return false;
    }
    if (circuit.slot_bytes > config_.memory_budget) {
      end_job(job, wire::JOB_FAILED,
              {StatusCode::kNoSpace, "shared memory: a slot of this circuit needs " +
                                         std::to_string(circuit.slot_bytes) + " bytes, the budget is " +
                                         std::to_string(config_.memory_budget)});
      return true;
    }
    slot = preempt_for(job, circuit);
  }
  Worker* worker = slot == kMaxSlots ? nullptr : scheduler::pick_synth(workers_, wish, &slots_.at(slot));
  if (worker == nullptr) {
    return false;
  }
  grant_fill(job, circuit, *worker, slot);
  return true;
}

/// Takes a sealed slot from a job of lower rank, which is synthesised again.
SlotId Coordinator::preempt_for(const Job& job, const Circuit& circuit) {
  if (job.rank() != 0) {
    return kMaxSlots;
  }
  const SlotId slot = scheduler::pick_victim(slots_, wish_of(job, circuit), [this](const Slot& candidate) {
    const Job* owner = jobs_.find(candidate.job);
    return owner == nullptr ? std::size_t{0} : owner->rank();
  });
  if (slot == kMaxSlots ||
      scheduler::pick_synth(workers_, wish_of(job, circuit), &slots_.at(slot)) == nullptr) {
    return kMaxSlots;
  }
  Job* loser = jobs_.find(slots_.at(slot).job);
  move(slot, SlotEvent::kWanted);
  counters_.add(Counter::kPreemptions);
  retry(*loser, false);
  return slot;
}

void Coordinator::grant_prepare(Circuit& circuit, Worker& worker) {
  circuit.attempt = {prepare_job(circuit.id), ++circuit.attempts, worker.epoch};
  circuit.stage = CircuitStage::kPreparing;
  worker.tasks.push_back({circuit.attempt, std::nullopt, now_ + config_.prepare_deadline, false, false});
  worker.last_grant = ++grants_;
  counters_.add(Counter::kPreparations);
  wire::Envelope message = envelope();
  to_wire(circuit.attempt, message.mutable_prepare()->mutable_attempt());
  *message.mutable_prepare()->mutable_circuit() = circuit.info;
  message.mutable_prepare()->set_full_check(!circuit.name.empty());
  send(worker, std::move(message));
  preload(circuit);
  for (const JobId id : jobs_.waiting_circuit(circuit.id)) {
    notify(*jobs_.find(id));
  }
}

void Coordinator::remember_grant(Job& job, Worker& worker, Task task) {
  job.attempt = task.attempt;
  worker.tasks.push_back(task);
  worker.last_grant = ++grants_;
  worker.suspect_aboard = worker.suspect_aboard || job.suspect;
  emit(JournalRecord{NoteAttempt{job.attempt, job.failures, job.strikes}});
}

void Coordinator::grant_fill(Job& job, Circuit& circuit, Worker& worker, SlotId id) {
  Slot& slot = slots_.at(id);
  if (slot.word.state == SlotState::kUploaded) {
    counters_.add(Counter::kReclaimedUploads);
    move(id, SlotEvent::kWanted);
  }
  const Attempt attempt = {job.id, ++job.attempts, worker.epoch};
  ++job.fills;
  job.timings.set_queued_ms(milliseconds_between(job.accepted, now_));
  slot.job = job.id;
  slot.circuit = circuit.id;
  slot.attempt = attempt;
  slot.fill_generation = slot.word.generation + 1;
  slot.input_digest = {};
  job.slot = id;
  const Lease lease = {id, slot.fill_generation};
  remember_grant(job, worker, {attempt, lease, now_ + config_.fill_deadline, false, false});
  move(id, SlotEvent::kGrantFill, worker.epoch);
  counters_.add(Counter::kFills);

  wire::Envelope message = envelope();
  wire::Fill& fill = *message.mutable_fill();
  to_wire(lease, fill.mutable_lease());
  to_wire(attempt, fill.mutable_attempt());
  *fill.mutable_circuit() = circuit.info;
  if (job.submit.has_witness_path()) {
    fill.set_witness_path(job.submit.witness_path());
  } else if (job.submit.has_input_path()) {
    fill.set_input_path(job.submit.input_path());
  } else {
    fill.set_input_bytes(job.submit.input_bytes());
  }
  fill.set_deadline_ms(count_ms(config_.fill_deadline));
  fill.set_segment(slot.segment);
  send(worker, std::move(message));
  set_stage(job, JobStage::kFilling);
}

void Coordinator::grant_prove(Job& job, Circuit& circuit, Worker& worker) {
  Slot& slot = slots_.at(job.slot);
  const Attempt attempt = {job.id, ++job.attempts, worker.epoch};
  ++job.proves;
  job.timings.set_filled_ms(milliseconds_between(job.stage_since, now_));
  slot.attempt = attempt;
  const Lease lease = {job.slot, slot.word.generation + 1};
  remember_grant(job, worker, {attempt, lease, now_ + config_.prove_deadline, false, false});
  move(job.slot, SlotEvent::kGrantProve, worker.epoch);
  counters_.add(Counter::kProves);
  worker.keys.insert(circuit.id);

  wire::Envelope message = envelope();
  wire::Prove& prove = *message.mutable_prove();
  to_wire(lease, prove.mutable_lease());
  to_wire(attempt, prove.mutable_attempt());
  *prove.mutable_circuit() = circuit.info;
  prove.set_fill_generation(slot.fill_generation);
  prove.set_input_digest(digest_to_wire(slot.input_digest));
  prove.set_deadline_ms(count_ms(config_.prove_deadline));
  prove.set_segment(slot.segment);
  send(worker, std::move(message));
  set_stage(job, JobStage::kProving);
}

}  // namespace baton
