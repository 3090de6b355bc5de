// What workers answer to grants. Bytes count by lease, results by attempt.
#include "coordinator/coordinator.hpp"
#include "shared/contract/codec.hpp"
#include "shared/support/concat.hpp"

namespace baton {

namespace {

/// Failures that another attempt cannot mend.
bool is_final(StatusCode code) {
  switch (code) {
    case StatusCode::kInvalidInput:
    case StatusCode::kNotFound:
    case StatusCode::kPermission:
    case StatusCode::kLimit:
    case StatusCode::kUnsatisfied:
    case StatusCode::kExists:
      return true;
    default:
      return false;
  }
}

double milliseconds_between(Instant from, Instant to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

/// A task whose result still counts, taken off the worker; nothing for a late or repeated completion.
std::optional<Task> take_task(Worker& worker, const Attempt& attempt) {
  const Task* task = worker.find(attempt);
  if (task == nullptr) {
    return std::nullopt;
  }
  Task taken = *task;
  if (taken.closed) {
    return std::nullopt;  // stays until the kernel reports the owner's end
  }
  worker.erase(attempt);
  return taken;
}

}  // namespace

void Coordinator::on_filled(Worker& worker, const wire::Filled& message) {
  const Attempt attempt = from_wire(message.attempt());
  ack(worker, attempt);
  const std::optional<Task> task = take_task(worker, attempt);
  if (!task || !task->lease || from_wire(message.lease()) != *task->lease ||
      !slots_.is_current(*task->lease)) {
    counters_.add(Counter::kStaleMessages);
    return;
  }
  ++worker.completed;
  const SlotId id = task->lease->slot;
  slots_.at(id).input_digest = digest_from_wire(message.input_digest());
  move(id, SlotEvent::kFilled);
  if (Job* job = open_job(attempt)) {
    job->timings.set_fill_ms(milliseconds_between(job->stage_since, now_));
    *job->timings.mutable_fill() = message.timings();
    job->suspect = false;
    job->attempt = {};
    set_stage(*job, JobStage::kWaitProve);
  }
  settle(id);
}

void Coordinator::on_fill_failed(Worker& worker, const wire::FillFailed& message) {
  const Attempt attempt = from_wire(message.attempt());
  ack(worker, attempt);
  const std::optional<Task> task = take_task(worker, attempt);
  if (!task) {
    counters_.add(Counter::kStaleMessages);
    return;
  }
  ++worker.failed;
  if (task->lease && slots_.is_current(*task->lease)) {
    move(task->lease->slot, SlotEvent::kFillFailed);
  }
  Job* job = open_job(attempt);
  if (job == nullptr) {
    return;
  }
  const Status status = status_from_wire(message.code(), message.text());
  if (status.code() == StatusCode::kVersionMismatch) {
    replace_circuit(*job);
  } else {
    const Status reason = status.is_ok() ? internal_error("a fill failed without a reason") : status;
    fail_attempt(*job, reason, is_final(reason.code()));
  }
}

void Coordinator::on_uploaded(Worker& worker, const wire::Uploaded& message) {
  const Task* task = worker.find(from_wire(message.attempt()));
  if (task == nullptr || task->closed || !task->lease || from_wire(message.lease()) != *task->lease ||
      !slots_.is_current(*task->lease)) {
    counters_.add(Counter::kStaleMessages);
    return;
  }
  const SlotId id = task->lease->slot;
  move(id, SlotEvent::kUploaded);
  settle(id);
}

void Coordinator::on_proved(Worker& worker, const wire::Proved& message) {
  const Attempt attempt = from_wire(message.attempt());
  const std::optional<Task> task = take_task(worker, attempt);
  if (!task) {
    counters_.add(Counter::kStaleMessages);
    // While the journal has not committed it, the result is kept by the worker.
    const Job* job = jobs_.find(attempt.job);
    if (job == nullptr || job->stage != JobStage::kEnding || job->attempt != attempt) {
      ack(worker, attempt);
    }
    return;
  }
  ++worker.completed;
  note_resident(worker, message.keys(), message.device());
  if (task->lease && slots_.is_current(*task->lease)) {
    move(task->lease->slot, SlotEvent::kProved);
  }
  Job* job = open_job(attempt);
  if (job == nullptr) {
    ack(worker, attempt);
    return;
  }
  job->timings.set_prove_ms(milliseconds_between(job->stage_since, now_));
  *job->timings.mutable_prove() = message.timings();
  job->reply.set_proof(message.proof());
  job->reply.set_publics(message.publics());
  job->reply.set_device(message.device());
  end_job(*job, wire::JOB_DONE, Status::ok(), worker.epoch, attempt);
}

void Coordinator::on_prove_failed(Worker& worker, const wire::ProveFailed& message) {
  const Attempt attempt = from_wire(message.attempt());
  ack(worker, attempt);
  const std::optional<Task> task = take_task(worker, attempt);
  if (!task) {
    counters_.add(Counter::kStaleMessages);
    return;
  }
  ++worker.failed;
  if (message.failure() == wire::PROVE_FAILURE_STICKY) {
    worker.state = worker.state == WorkerState::kReady ? WorkerState::kLeaving : worker.state;
  }
  if (task->lease && slots_.is_current(*task->lease)) {
    const SlotId id = task->lease->slot;
    const bool corrupt = message.failure() == wire::PROVE_FAILURE_CORRUPT;
    if (move(id, corrupt ? SlotEvent::kCorrupt : SlotEvent::kProveFailed) && corrupt) {
      counters_.add(Counter::kQuarantines);
      log(LogLevel::kError, concat("slot quarantined: ", message.text()), {attempt.job, id, 0});
      detach_all(id);
    }
    settle(id);
  }
  Job* job = open_job(attempt);
  if (job == nullptr) {
    return;
  }
  const Status status = status_from_wire(message.code(), message.text());
  const Status reason = status.is_ok() ? internal_error("a proof failed without a reason") : status;
  if (message.failure() == wire::PROVE_FAILURE_DEVICE) {
    job->avoid = worker.epoch;
  }
  fail_attempt(*job, reason, message.failure() == wire::PROVE_FAILURE_INPUT);
}

void Coordinator::on_prepared(Worker& worker, const wire::Prepared& message) {
  const Attempt attempt = from_wire(message.attempt());
  ack(worker, attempt);
  Circuit* circuit = circuits_.find(circuit_of_prepare(attempt));
  if (!take_task(worker, attempt) || circuit == nullptr || circuit->attempt != attempt) {
    counters_.add(Counter::kStaleMessages);
    return;
  }
  ++worker.completed;
  circuit_ready(*circuit, message.circuit());
}

void Coordinator::on_prepare_failed(Worker& worker, const wire::PrepareFailed& message) {
  const Attempt attempt = from_wire(message.attempt());
  ack(worker, attempt);
  Circuit* circuit = circuits_.find(circuit_of_prepare(attempt));
  if (!take_task(worker, attempt) || circuit == nullptr || circuit->attempt != attempt) {
    counters_.add(Counter::kStaleMessages);
    return;
  }
  ++worker.failed;
  const Status status = status_from_wire(message.code(), message.text());
  const Status reason = status.is_ok() ? internal_error("preparing failed without a reason") : status;
  if (is_final(reason.code()) || reason.code() == StatusCode::kCorrupt) {
    fail_circuit(*circuit, reason);
  } else {
    requeue_circuit(*circuit, reason, true);
  }
}

}  // namespace baton
