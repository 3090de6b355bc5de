// Circuits: prepared once by a synth-worker, loaded by every gpu-worker.
#include "coordinator/coordinator.hpp"
#include "shared/contract/codec.hpp"
#include "shared/support/concat.hpp"

namespace baton {

/// The circuit that a job names, made where it names files; null with `refusal` set.
Circuit* Coordinator::circuit_for(const wire::Submit& submit, Status& refusal) {
  Circuit* circuit = nullptr;
  if (submit.has_circuit_name()) {
    circuit = circuits_.find_name(submit.circuit_name());
    if (circuit == nullptr) {
      refusal = {StatusCode::kNotFound, concat("circuit '", submit.circuit_name(), "': no such circuit")};
      return nullptr;
    }
  } else if (submit.has_circuit_source() && !submit.circuit_source().key_path().empty()) {
    circuit = circuits_.find_source(submit.circuit_source());
    if (circuit == nullptr) {
      while (circuits_.all().size() >= config_.circuit_limit) {
        Circuit* idlest = circuits_.idlest_anonymous();
        if (idlest == nullptr) {
          refusal = {StatusCode::kLimit, concat("circuits: expected at most ", config_.circuit_limit)};
          return nullptr;
        }
        forget_circuit(idlest->id);
      }
      circuit = &circuits_.add({}, submit.circuit_source());
    }
  } else {
    refusal = invalid_input("job: expected a circuit or a key path, found neither");
    return nullptr;
  }
  circuit->last_use = ++uses_;
  return circuit;
}

void Coordinator::want_prepared(Circuit& circuit) {
  if (circuit.stage == CircuitStage::kFailed) {
    circuit.stage = CircuitStage::kWaiting;
    circuit.failure = {};
    circuit.strikes = 0;
  }
  if (circuit.stage == CircuitStage::kWaiting) {
    to_prepare_.insert(circuit.id);
  }
}

/// The preparation goes to another worker, unless it has failed too often.
void Coordinator::requeue_circuit(Circuit& circuit, const Status& why, bool strike) {
  circuit.strikes += strike ? 1 : 0;
  circuit.attempt = {};
  if (circuit.strikes >= config_.max_strikes) {
    fail_circuit(circuit, {why.code(), concat("preparing gave up after ", circuit.strikes,
                                              " attempts: ", why.message())});
    return;
  }
  circuit.stage = CircuitStage::kWaiting;
  to_prepare_.insert(circuit.id);
}

void Coordinator::fail_circuit(Circuit& circuit, const Status& status) {
  const CircuitId id = circuit.id;
  circuit.stage = CircuitStage::kFailed;
  circuit.failure = status;
  circuit.attempt = {};
  log(LogLevel::kWarn, concat("circuit ", id, " cannot be used: ", status.message()));
  answer_circuit_watchers(circuit);
  for (const JobId job : jobs_.waiting_circuit(id)) {
    end_job(*jobs_.find(job), wire::JOB_FAILED, status);
  }
  drop_if_unused(id);
}

void Coordinator::circuit_ready(Circuit& circuit, const wire::Circuit& info) {
  const wire::CircuitSource source = circuit.info.source();
  circuit.info = info;
  circuit.info.set_id(circuit.id);
  *circuit.info.mutable_source() = source;
  circuit.slot_bytes = size_class(compute_slot_layout(shape_of(info)).total_bytes);
  circuit.stage = CircuitStage::kReady;
  circuit.attempt = {};
  circuit.strikes = 0;
  if (!info.warning().empty()) {
    log(LogLevel::kWarn, concat("circuit ", circuit.id, ": ", info.warning()));
  }
  journal_circuit(circuit);
  answer_circuit_watchers(circuit);
  for (const JobId job : jobs_.waiting_circuit(circuit.id)) {
    set_stage(*jobs_.find(job), JobStage::kWaitFill);
  }
}

/// The circuit's files are not what was prepared: the job goes to a new circuit of the same files.
void Coordinator::replace_circuit(Job& job) {
  Circuit* old = circuits_.find(job.circuit);
  const CircuitId old_id = old->id;
  const std::string name = old->name;
  const wire::CircuitSource source = old->info.source();
  ++job.failures;
  if (job.failures >= config_.max_failures) {
    end_job(job, wire::JOB_FAILED, {StatusCode::kInvalidInput, "key file: changes while it is in use"});
    return;
  }
  if (!old->replaced) {
    circuits_.detach(*old);
    circuits_.add(name, source);
  }
  Circuit* fresh = name.empty() ? circuits_.find_source(source) : circuits_.find_name(name);
  if (fresh == nullptr) {
    end_job(job, wire::JOB_FAILED, {StatusCode::kNotFound, "circuit: was removed"});
    return;
  }
  --circuits_.find(old_id)->jobs;
  ++fresh->jobs;
  fresh->last_use = ++uses_;
  job.attempt = {};
  job.slot = kNoSlot;
  set_stage(job, JobStage::kEnding);  // out of every queue while its circuit changes
  job.circuit = fresh->id;
  set_stage(job, fresh->stage == CircuitStage::kReady ? JobStage::kWaitFill : JobStage::kWaitCircuit);
  want_prepared(*fresh);
  drop_if_unused(old_id);
}

void Coordinator::preload(Circuit& circuit) {
  circuit.preloaded = true;
  for (auto& [epoch, worker] : workers_.all()) {
    const bool wants = worker.role == WorkerRole::kGpu && worker.state == WorkerState::kReady;
    if (wants && worker.keys.insert(circuit.id).second) {
      wire::Envelope message = envelope();
      *message.mutable_preload()->mutable_circuit() = circuit.info;
      send(worker, std::move(message));
    }
  }
}

/// A gpu-worker that has just joined loads what is in use.
void Coordinator::preload_all(Worker& worker) {
  if (worker.role != WorkerRole::kGpu) {
    return;
  }
  for (auto& [id, circuit] : circuits_.all()) {
    const bool in_use = circuit.jobs != 0 || (!circuit.name.empty() && circuit.preloaded);
    if (in_use && !circuit.replaced && circuit.stage != CircuitStage::kFailed &&
        worker.keys.insert(id).second) {
      wire::Envelope message = envelope();
      *message.mutable_preload()->mutable_circuit() = circuit.info;
      send(worker, std::move(message));
    }
  }
}

void Coordinator::answer_circuit_watchers(Circuit& circuit) {
  const auto found = circuit_watchers_.find(circuit.id);
  if (found == circuit_watchers_.end()) {
    return;
  }
  for (const Watcher& watcher : found->second) {
    wire::Envelope message;
    if (circuit.stage == CircuitStage::kReady) {
      *message.mutable_circuit_reply()->add_circuits() = entry_of(circuit);
    } else {
      message.mutable_refused()->set_code(static_cast<std::uint32_t>(circuit.failure.code()));
      message.mutable_refused()->set_text(bounded_text(circuit.failure.message()));
    }
    reply_to(watcher.peer, watcher.request, std::move(message));
  }
  circuit_watchers_.erase(found);
}

/// Failed and replaced circuits live as long as their jobs.
void Coordinator::drop_if_unused(CircuitId id) {
  const Circuit* circuit = circuits_.find(id);
  if (circuit != nullptr && circuit->jobs == 0 &&
      (circuit->replaced || circuit->stage == CircuitStage::kFailed)) {
    forget_circuit(id);
  }
}

void Coordinator::forget_circuit(CircuitId id) {
  for (auto& [epoch, worker] : workers_.all()) {
    worker.resident.erase(id);
    if (worker.keys.erase(id) != 0) {
      wire::Envelope message = envelope();
      message.mutable_unload()->set_circuit(id);
      send(worker, std::move(message));
    }
  }
  to_prepare_.erase(id);
  circuits_.remove(id);
  emit(JournalRecord{DropCircuit{id}});
}

wire::CircuitEntry Coordinator::entry_of(const Circuit& circuit) const {
  wire::CircuitEntry entry;
  entry.set_name(circuit.name);
  *entry.mutable_circuit() = circuit.info;
  entry.set_state(circuit.stage == CircuitStage::kReady    ? wire::CIRCUIT_READY
                  : circuit.stage == CircuitStage::kFailed ? wire::CIRCUIT_FAILED
                                                           : wire::CIRCUIT_PREPARING);
  entry.set_code(static_cast<std::uint32_t>(circuit.failure.code()));
  entry.set_text(bounded_text(circuit.failure.message()));
  entry.set_slot_bytes(circuit.slot_bytes);
  entry.set_jobs(circuit.jobs);
  return entry;
}

void Coordinator::journal_circuit(const Circuit& circuit) {
  emit(JournalRecord{PutCircuit{{circuit.id, entry_of(circuit)}}});
}

}  // namespace baton
