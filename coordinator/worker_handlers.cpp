// Workers: how they join, what they hold, how they end.
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "coordinator/coordinator.hpp"
#include "shared/contract/codec.hpp"
#include "shared/contract/names.hpp"
#include "shared/contract/version.hpp"
#include "shared/support/concat.hpp"

namespace baton {

namespace {

WorkerRole role_of(wire::Role role) {
  return role == wire::ROLE_GPU ? WorkerRole::kGpu : WorkerRole::kSynth;
}

}  // namespace

Status Coordinator::check_hello(const FromWorker& event) const {
  const wire::Hello& hello = event.message.hello();
  if (hello.layout_version() != kLayoutVersion || hello.build_fingerprint() != kBuildFingerprint) {
    return {StatusCode::kVersionMismatch,
            concat("worker ", hello.pid(), ": expected layout ", kLayoutVersion, " of build ",
                   kBuildFingerprint, ", found ", hello.layout_version(), " of ", hello.build_fingerprint())};
  }
  if (shutdown_sent_) {
    return {StatusCode::kUnavailable, "shutting down"};
  }
  return event.identity;
}

void Coordinator::reject(const std::string& peer, const Status& status) {
  wire::Envelope message = envelope();
  message.mutable_reject()->set_code(static_cast<std::uint32_t>(status.code()));
  message.mutable_reject()->set_text(bounded_text(status.message()));
  emit(SendToWorker{peer, std::move(message)});
}

void Coordinator::on_hello(const FromWorker& event) {
  const wire::Hello& hello = event.message.hello();
  if (const Status status = check_hello(event); !status.is_ok()) {
    log(LogLevel::kWarn, concat("worker refused: ", status.message()));
    return reject(event.peer, status);
  }
  Worker* worker = workers_.find_process(hello.pid(), hello.start_time());
  if (worker != nullptr && worker->nonce != hello.nonce()) {
    worker_gone(worker->epoch, true);  // exec: the old life is over
    worker = nullptr;
  }
  const bool fresh = worker == nullptr;
  if (fresh) {
    worker = workers_.add(role_of(hello.role()));
    if (worker == nullptr) {
      return reject(event.peer, {StatusCode::kLimit, concat("workers: expected at most ", kMaxWorkers)});
    }
    worker->pid = hello.pid();
    worker->start_time = hello.start_time();
    worker->nonce = hello.nonce();
  }
  worker->lanes = std::max(1u, hello.lanes());
  worker->backend = hello.backend();
  worker->since = fresh || worker->since == Instant{} ? now_ : worker->since;
  if (worker->state == WorkerState::kExpected) {
    worker->state = WorkerState::kReady;
  }
  workers_.set_peer(*worker, event.peer);
  if (fresh) {
    emit(StoreWorker{worker->index, WorkerRegistry::entry(*worker)});
    log(LogLevel::kInfo,
        concat(to_string(worker->role), "-worker ", worker->epoch, " joins, pid ", worker->pid));
  }
  emit(WatchWorker{worker->epoch, event.peer});
  welcome(*worker);
  reconcile(*worker, hello);
}

void Coordinator::welcome(Worker& worker) {
  wire::Envelope message = envelope();
  wire::Welcome& welcome = *message.mutable_welcome();
  welcome.set_epoch(worker.epoch);
  welcome.set_coordinator_pid(config_.pid);
  welcome.set_coordinator_start_time(config_.start_time);
  welcome.set_shm_directory(config_.shm_directory);
  welcome.set_ledger_name(ledger_name(config_.session));
  welcome.set_cache_directory(config_.cache_directory);
  send(worker, std::move(message));
}

/// Brings what we believe of the worker in line with what it says it has. Grants that it has not announced
/// were lost with its old socket.
void Coordinator::reconcile(Worker& worker, const wire::Hello& hello) {
  const bool ours = hello.epoch() == worker.epoch;
  std::vector<Attempt> announced;
  if (ours) {
    for (const wire::HeldLease& held : hello.held()) {
      announced.push_back(from_wire(held.attempt()));
    }
    for (const wire::Attempt& attempt : hello.running()) {
      announced.push_back(from_wire(attempt));
    }
  }
  const std::vector<Task> tasks = worker.tasks;
  for (const Task& task : tasks) {
    if (std::find(announced.begin(), announced.end(), task.attempt) == announced.end()) {
      counters_.add(Counter::kLostGrants);
      worker.erase(task.attempt);
      task_lost(worker, task, SlotEvent::kFillFailed, SlotEvent::kProveFailed);
      if (Job* job = open_job(task.attempt)) {
        retry(*job, false);
      }
    }
  }
  worker.keys.clear();
  if (ours) {
    for (const wire::HeldLease& held : hello.held()) {
      adopt_announced(worker, from_wire(held.attempt()), from_wire(held.lease()));
    }
    for (const wire::Attempt& attempt : hello.running()) {
      adopt_announced(worker, from_wire(attempt), std::nullopt);
    }
    for (const wire::LoadedKey& key : hello.keys()) {
      if (circuits_.find(key.circuit()) != nullptr) {
        worker.keys.insert(key.circuit());
      }
    }
  }
  note_resident(worker, ours ? hello.keys() : LoadedKeys(), hello.backend());
  reconcile_segments(worker, hello);
  preload_all(worker);
  resume_held(worker.epoch);
}

void Coordinator::reconcile_segments(Worker& worker, const wire::Hello& hello) {
  for (SlotId id = 0; id < slots_.size(); ++id) {
    slots_.at(id).attached.reset(worker.index);
    slots_.at(id).holders.reset(worker.index);
  }
  if (hello.epoch() == worker.epoch) {
    for (const wire::AttachedSegment& segment : hello.attached()) {
      const bool known =
          segment.slot() < slots_.size() && slots_.at(segment.slot()).segment == segment.segment();
      if (known) {
        Slot& slot = slots_.at(segment.slot());
        slot.holders.set(worker.index);
        slot.attached.set(worker.index, slot.word.state != SlotState::kQuarantined);
      }
      if (!known || slots_.at(segment.slot()).word.state == SlotState::kQuarantined) {
        wire::Envelope message = envelope();
        message.mutable_detach()->set_slot(segment.slot());
        message.mutable_detach()->set_segment(segment.segment());
        send(worker, std::move(message));
      }
    }
  }
  for (SlotId id = 0; id < slots_.size(); ++id) {
    release_if_unheld(id);
    attach(worker, id);
  }
}

/// An attempt that the worker runs and that this coordinator may not have granted itself.
void Coordinator::adopt_announced(Worker& worker, const Attempt& attempt, const std::optional<Lease>& lease) {
  if (worker.find(attempt) != nullptr || attempt.epoch != worker.epoch) {
    return;
  }
  Job* job = jobs_.find(attempt.job);
  const bool open = job != nullptr && !job->is_over();
  const bool idle = open && (job->stage == JobStage::kHeld || job->stage == JobStage::kWaitFill);
  const bool wanted = idle && worker.role == WorkerRole::kGpu && attempt.number >= job->attempt.number;
  if (open) {
    job->attempts = std::max(job->attempts, attempt.number);  // the number is taken
  }
  // It takes up its lane either way.
  const bool current = lease && slots_.is_current(*lease);
  const Milliseconds limit = is_prepare(attempt) ? config_.prepare_deadline : config_.prove_deadline;
  worker.tasks.push_back({attempt, current ? lease : std::nullopt, now_ + limit, !wanted, false});
  if (wanted) {
    job->attempt = attempt;
    return set_stage(*job, JobStage::kProving);
  }
  wire::Envelope message = envelope();
  to_wire(attempt, message.mutable_cancel_attempt()->mutable_attempt());
  send(worker, std::move(message));
}

/// Jobs whose last attempt this worker had under the former coordinator and does not have any more.
void Coordinator::resume_held(Epoch epoch) {
  std::vector<JobId> held;
  for (const auto& [id, job] : jobs_.all()) {
    if (job.stage == JobStage::kHeld && job.attempt.epoch == epoch) {
      held.push_back(id);
    }
  }
  for (const JobId id : held) {
    Job& job = *jobs_.find(id);
    retry(job, false);
  }
}

void Coordinator::on_attached(Worker& worker, const wire::Attached& message) {
  if (message.slot() >= slots_.size() || slots_.at(message.slot()).segment != message.segment()) {
    counters_.add(Counter::kStaleMessages);
    return;
  }
  Slot& slot = slots_.at(message.slot());
  if (message.code() != 0) {
    slot.holders.reset(worker.index);
    log(LogLevel::kError,
        concat(to_string(worker.role), "-worker ", worker.epoch, " cannot attach: ", message.text()),
        {0, message.slot(), 0});
    release_if_unheld(message.slot());
    return;
  }
  slot.holders.set(worker.index);
  slot.attached.set(worker.index, slot.word.state != SlotState::kQuarantined);
}

void Coordinator::on_detached(Worker& worker, const wire::Detached& message) {
  if (message.slot() >= slots_.size() || slots_.at(message.slot()).segment != message.segment()) {
    counters_.add(Counter::kStaleMessages);
    return;
  }
  slots_.at(message.slot()).attached.reset(worker.index);
  slots_.at(message.slot()).holders.reset(worker.index);
  release_if_unheld(message.slot());
}

/// A key that is gone was evicted: the worker would have to load it again.
void Coordinator::note_resident(Worker& worker, const LoadedKeys& keys, const std::string& backend) {
  const auto before = std::exchange(worker.resident, {});
  for (const wire::LoadedKey& key : keys) {
    worker.resident[key.circuit()] = key.bytes();
  }
  for (const auto& [circuit, bytes] : before) {
    if (worker.resident.count(circuit) == 0) {
      worker.keys.erase(circuit);
    }
  }
  worker.backend = backend;
}

void Coordinator::on_preloaded(Worker& worker, const wire::Preloaded& message) {
  note_resident(worker, message.keys(), message.backend());
  if (message.code() != 0) {
    worker.keys.erase(message.circuit());
    log(LogLevel::kWarn, concat("gpu-worker ", worker.epoch, " has not loaded circuit ", message.circuit(),
                                ": ", message.text()));
  }
}

void Coordinator::on_bye(Worker& worker, const wire::Bye& message) {
  if (worker.state == WorkerState::kReady) {
    worker.state = WorkerState::kLeaving;
  }
  log(LogLevel::kInfo, concat(to_string(worker.role), "-worker ", worker.epoch, " leaves: ", message.text()));
}

/// The task will not be completed: its slot and, for a PREPARE, its circuit go on without it.
void Coordinator::task_lost(Worker& worker, const Task& task, SlotEvent for_fill, SlotEvent for_prove) {
  if (is_prepare(task.attempt)) {
    Circuit* circuit = circuits_.find(circuit_of_prepare(task.attempt));
    if (circuit != nullptr && circuit->attempt == task.attempt) {
      const bool dead = for_fill == SlotEvent::kOwnerDead;
      requeue_circuit(*circuit, {StatusCode::kPeerGone, "the worker that prepared it has ended"}, dead);
    }
    return;
  }
  if (task.lease && slots_.is_current(*task.lease)) {
    const SlotId id = task.lease->slot;
    move(id, worker.role == WorkerRole::kSynth ? for_fill : for_prove);
    settle(id);
  }
}

/// The process has ended, or the life that had this epoch. `killed_by_us`: only the job that it was killed
/// for counts a strike; otherwise only a job that was alone aboard.
void Coordinator::worker_gone(Epoch epoch, bool killed_by_us) {
  Worker* found = workers_.find(epoch);
  if (found == nullptr) {
    return;
  }
  Worker worker = std::move(*found);
  workers_.remove(epoch);
  counters_.add(Counter::kWorkerDeaths);
  emit(StoreWorker{worker.index, {}});
  emit(ForgetWorker{epoch});
  log(worker.state == WorkerState::kLeaving || draining_ ? LogLevel::kInfo : LogLevel::kWarn,
      concat(to_string(worker.role), "-worker ", epoch, " has ended, pid ", worker.pid, ", ",
             worker.tasks.size(), " tasks aboard"));
  const bool alone = worker.tasks.size() == 1;
  const bool suspicious = !killed_by_us && worker.state == WorkerState::kReady && !draining_;
  for (const Task& task : worker.tasks) {
    task_lost(worker, task, SlotEvent::kOwnerDead, SlotEvent::kOwnerDead);
    Job* job = open_job(task.attempt);
    if (job == nullptr) {
      continue;
    }
    if ((suspicious && alone) || worker.killed_for == job->id) {
      ++job->strikes;
      ++job->failures;
      job->story = worker.killed_for == job->id ? "its worker was killed at the deadline" : "its worker died";
    }
    job->suspect = job->suspect || (suspicious && !alone);
    if (job->strikes >= config_.max_strikes) {
      end_job(*job, wire::JOB_FAILED,
              {worker.killed_for == job->id ? StatusCode::kDeadline : StatusCode::kPeerGone,
               concat("gave up: ", job->strikes,
                      " workers ended while they had only this job; last: ", job->story)});
    } else {
      counters_.add(Counter::kRetries);
      retry(*job, true);
    }
  }
  for (SlotId id = 0; id < slots_.size(); ++id) {
    slots_.at(id).attached.reset(worker.index);
    slots_.at(id).holders.reset(worker.index);
    release_if_unheld(id);
  }
  resume_held(epoch);
}

/// A late owner is killed; its bytes are taken only when the kernel reports its end.
void Coordinator::doom(Worker& worker, Task& task) {
  log(LogLevel::kWarn, concat(to_string(worker.role), "-worker ", worker.epoch, " is late with ",
                              to_string(task.attempt), " and is killed"));
  counters_.add(Counter::kKills);
  worker.state = WorkerState::kDoomed;
  worker.killed_for = task.cancelled ? 0 : task.attempt.job;
  task.closed = true;
  if (task.lease && slots_.is_current(*task.lease)) {
    const SlotState state = slots_.at(task.lease->slot).word.state;
    if (state == SlotState::kFilling || state == SlotState::kProving) {
      move(task.lease->slot, SlotEvent::kDeadline);
    }
  }
  emit(KillWorker{worker.epoch});
}

void Coordinator::check_deadlines() {
  for (auto& [epoch, worker] : workers_.all()) {
    if (worker.state == WorkerState::kDoomed) {
      continue;
    }
    const auto late = std::find_if(worker.tasks.begin(), worker.tasks.end(),
                                   [this](const Task& task) { return task.deadline <= now_; });
    if (late != worker.tasks.end()) {
      doom(worker, *late);
    }
  }
}

}  // namespace baton
