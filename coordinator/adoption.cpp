// A new coordinator of a session: what the ledger and the journal say, until the workers have announced
// themselves.
#include "coordinator/coordinator.hpp"
#include "shared/contract/codec.hpp"
#include "shared/support/concat.hpp"

namespace baton {

namespace {

/// Numbers of segments and circuits that a former coordinator may have used without a trace are skipped.
constexpr std::uint32_t kNumbersPerIncarnation = 1u << 16;

bool has_owner(SlotState state) {
  return state == SlotState::kFilling || state == SlotState::kProving || state == SlotState::kUploaded ||
         state == SlotState::kDoomedFill || state == SlotState::kDoomedProve;
}

}  // namespace

void Coordinator::adopt(const Ledger& ledger, const JournalImage& image, Instant now, Actions& out) {
  now_ = now;
  started_ = now;
  out_ = &out;
  last_job_ = image.last_job;
  last_segment_ = (config_.incarnation - 1) * kNumbersPerIncarnation;
  circuits_.skip_to((config_.incarnation - 1) * kNumbersPerIncarnation);
  for (const CircuitRow& row : image.circuits) {
    Circuit& circuit = circuits_.adopt(row.id);
    circuit.name = row.entry.name();
    circuit.info = row.entry.circuit();
    circuit.slot_bytes = row.entry.slot_bytes();
    circuit.stage = CircuitStage::kReady;
    circuits_.index(circuit);
  }
  for (std::uint32_t index = 0; index < kMaxWorkers; ++index) {
    if (ledger.workers[index].epoch != 0) {
      workers_.adopt(index, ledger.workers[index]);
    }
  }
  for (const JobRow& row : image.open_jobs) {
    adopt_job(row);
  }
  for (SlotId id = 0; id < kMaxSlots; ++id) {
    if (ledger.slots[id].word != 0) {
      adopt_slot(id, ledger.slots[id]);
    }
  }
  for (auto& [id, job] : jobs_.all()) {
    if (job.stage == JobStage::kHeld && workers_.find(job.attempt.epoch) == nullptr) {
      resume_held(job.attempt.epoch);
    }
  }
  out_ = nullptr;
}

/// The job is held until it is known whether a living worker has it.
void Coordinator::adopt_job(const JobRow& row) {
  Job& job = jobs_.add(row.id, row.key);
  job.submit = row.submit;
  job.payload = row.payload;
  job.failures = row.failures;
  job.strikes = row.strikes;
  job.attempts = row.attempt.number;
  job.attempt = row.attempt;
  job.accepted = now_;
  Status refusal;
  Circuit* circuit = circuit_for(row.submit, refusal);
  if (circuit == nullptr) {
    end_job(job, wire::JOB_FAILED, refusal);
    return;
  }
  ++circuit->jobs;
  job.circuit = circuit->id;
  if (job.submit.deadline_ms() != 0) {
    jobs_.set_deadline(job, now_ + Milliseconds(job.submit.deadline_ms()));
  }
  want_prepared(*circuit);
  set_stage(job, JobStage::kHeld);
}

void Coordinator::adopt_slot(SlotId id, const SlotEntry& entry) {
  slots_.adopt(id, entry);
  Slot& slot = slots_.at(id);
  last_segment_ = std::max(last_segment_, slot.segment);
  for (const auto& [epoch, worker] : workers_.all()) {
    slot.holders.set(worker.index, slot.word.state != SlotState::kAbsent);
  }
  Job* job = jobs_.find(slot.job);
  const Circuit* circuit = job == nullptr ? nullptr : circuits_.find(job->circuit);
  const bool wanted = circuit != nullptr && circuit->id == slot.circuit &&
                      circuit->stage == CircuitStage::kReady && !job->is_over() && job->slot == kNoSlot;
  if (wanted) {
    job->slot = id;
  }
  Worker* owner = workers_.find(slot.word.owner);
  if (has_owner(slot.word.state) && owner != nullptr) {
    const Milliseconds limit =
        owner->role == WorkerRole::kSynth ? config_.fill_deadline : config_.prove_deadline;
    const bool doomed =
        slot.word.state == SlotState::kDoomedFill || slot.word.state == SlotState::kDoomedProve;
    owner->tasks.push_back({slot.attempt, Lease{id, slot.word.generation}, now_ + limit, false, doomed});
    if (doomed) {
      owner->state = WorkerState::kDoomed;
      emit(KillWorker{owner->epoch});
    }
    if (wanted) {
      job->attempt = slot.attempt;
      job->attempts = std::max(job->attempts, slot.attempt.number);
      set_stage(*job, owner->role == WorkerRole::kSynth ? JobStage::kFilling : JobStage::kProving);
    }
    return;
  }
  if (has_owner(slot.word.state)) {
    move(id, SlotEvent::kOwnerDead);
  }
  if (wanted && slot.word.state == SlotState::kSealed) {
    job->attempt = {};
    set_stage(*job, JobStage::kWaitProve);
  }
  settle(id);
  release_if_unheld(id);
}

}  // namespace baton
