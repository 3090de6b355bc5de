// Jobs: from stage to stage, and their end.
#include <algorithm>

#include "coordinator/coordinator.hpp"
#include "shared/contract/codec.hpp"
#include "shared/support/concat.hpp"

namespace baton {

namespace {

constexpr std::uint64_t kLongestWaitMs = 3'600'000;

double milliseconds_between(Instant from, Instant to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

wire::JobState public_state(JobStage stage) {
  switch (stage) {
    case JobStage::kFilling:
      return wire::JOB_FILLING;
    case JobStage::kWaitProve:
      return wire::JOB_FILLED;
    case JobStage::kProving:
    case JobStage::kEnding:
      return wire::JOB_PROVING;
    default:
      return wire::JOB_QUEUED;
  }
}

}  // namespace

/// The job that still wants a result of this attempt.
Job* Coordinator::open_job(const Attempt& attempt) {
  Job* job = jobs_.find(attempt.job);
  const bool open = job != nullptr && !job->is_over() && job->attempt == attempt;
  return open ? job : nullptr;
}

void Coordinator::set_stage(Job& job, JobStage stage) {
  jobs_.set_stage(job, stage, now_);
  notify(job);
}

/// Back to where the job's bytes are: its sealed slot, or a new fill.
void Coordinator::retry(Job& job, bool back_off) {
  job.attempt = {};
  if (circuits_.find(job.circuit)->stage != CircuitStage::kReady) {
    const SlotId slot = std::exchange(job.slot, kNoSlot);
    set_stage(job, JobStage::kWaitCircuit);
    return slot == kNoSlot ? void() : settle(slot);
  }
  const bool sealed = job.slot != kNoSlot && slots_.at(job.slot).word.state == SlotState::kSealed;
  if (!sealed) {
    job.slot = kNoSlot;
  }
  set_stage(job, sealed ? JobStage::kWaitProve : JobStage::kWaitFill);
  if (back_off && job.failures > 1) {
    const auto factor = std::int64_t{1} << std::min<std::uint32_t>(job.failures - 2, 16);
    const Milliseconds delay =
        std::min(config_.backoff_limit, Milliseconds(config_.backoff_base.count() * factor));
    jobs_.delay(job, now_ + delay);
  }
}

void Coordinator::fail_attempt(Job& job, const Status& status, bool final) {
  ++job.failures;
  job.story = status.message();
  if (final) {
    end_job(job, wire::JOB_FAILED, status);
  } else if (job.failures >= config_.max_failures) {
    end_job(job, wire::JOB_FAILED,
            {status.code(), concat("gave up after ", job.failures, " attempts: ", status.message())});
  } else {
    counters_.add(Counter::kRetries);
    log(LogLevel::kWarn, concat("attempt ", job.attempt.number, " failed: ", status.to_string()),
        {job.id, 0, 0});
    retry(job, true);
  }
}

/// Tells the worker that runs the job's attempt to stop. A fill gets a short grace.
void Coordinator::cancel_task(const Job& job) {
  Worker* worker = workers_.find(job.attempt.epoch);
  Task* task = worker == nullptr ? nullptr : worker->find(job.attempt);
  if (task == nullptr || task->closed || task->cancelled) {
    return;
  }
  task->cancelled = true;
  if (job.stage == JobStage::kFilling) {
    task->deadline = std::min(task->deadline, now_ + config_.cancel_grace);
  }
  if (task->lease && slots_.is_current(*task->lease)) {
    move(task->lease->slot, SlotEvent::kCancelled);
    if (!slots_.is_current(*task->lease)) {
      task->lease.reset();
    }
  }
  wire::Envelope message = envelope();
  to_wire(job.attempt, message.mutable_cancel_attempt()->mutable_attempt());
  send(*worker, std::move(message));
}

/// Every accepted job comes through here exactly once. `ack` is acknowledged when the end is durable.
void Coordinator::end_job(Job& job, wire::JobState state, const Status& status, Epoch ack_worker,
                          Attempt ack) {
  if (job.is_over()) {
    return;
  }
  if (job.stage == JobStage::kFilling || job.stage == JobStage::kProving) {
    cancel_task(job);
  }
  wire::JobReply& answer = job.reply;
  answer.set_job(job.id);
  answer.set_key(job.submit.key());
  answer.set_state(state);
  answer.set_code(static_cast<std::uint32_t>(status.code()));
  answer.set_text(bounded_text(status.message()));
  answer.set_attempts(job.attempts);
  answer.set_fills(job.fills);
  answer.set_proves(job.proves);
  answer.set_priority(job.submit.priority());
  job.timings.set_total_ms(milliseconds_between(job.accepted, now_));
  *answer.mutable_timings() = job.timings;
  const CircuitId circuit_id = job.circuit;
  if (Circuit* circuit = circuits_.find(circuit_id)) {
    answer.set_curve(circuit->info.curve());
    answer.set_warning(circuit->info.warning());
    answer.set_circuit_name(circuit->name);
    --circuit->jobs;
  }
  counters_.add(state == wire::JOB_DONE        ? Counter::kJobsDone
                : state == wire::JOB_CANCELLED ? Counter::kJobsCancelled
                                               : Counter::kJobsFailed);
  const SlotId slot = job.slot;
  set_stage(job, JobStage::kEnding);
  if (slot != kNoSlot) {
    settle(slot);
  }
  job.submit.clear_input_bytes();
  emit(JournalRecord{EndJob{expect({PendingKind::kEnd, job.id, ack_worker, ack, {}, 0}), answer}});
  drop_if_unused(circuit_id);
}

void Coordinator::ack(Worker& worker, const Attempt& attempt) {
  wire::Envelope message = envelope();
  to_wire(attempt, message.mutable_ack()->mutable_attempt());
  send(worker, std::move(message));
}

wire::JobReply Coordinator::reply_of(const Job& job) const {
  if (job.stage == JobStage::kEnded) {
    return job.reply;
  }
  wire::JobReply answer;
  answer.set_job(job.id);
  answer.set_key(job.submit.key());
  answer.set_state(public_state(job.stage));
  answer.set_attempts(job.attempts);
  answer.set_fills(job.fills);
  answer.set_proves(job.proves);
  answer.set_priority(job.submit.priority());
  answer.set_text(bounded_text(job.story));
  const auto circuit = circuits_.all().find(job.circuit);
  if (circuit != circuits_.all().end()) {
    answer.set_curve(circuit->second.info.curve());
    answer.set_warning(circuit->second.info.warning());
    answer.set_circuit_name(circuit->second.name);
    if (job.stage == JobStage::kWaitCircuit && circuit->second.stage == CircuitStage::kPreparing) {
      answer.set_state(wire::JOB_PREPARING);
    }
  }
  return answer;
}

/// Tells those who follow every change; the end is told when it is durable.
void Coordinator::notify(Job& job) {
  if (job.is_over()) {
    return;
  }
  for (const Watcher& watcher : job.watchers) {
    if (watcher.every_change) {
      wire::Envelope message;
      *message.mutable_job_reply() = reply_of(job);
      reply_to(watcher.peer, watcher.request, std::move(message));
    }
  }
}

void Coordinator::add_watcher(Job& job, const FromClient& event, bool every_change,
                              std::uint64_t timeout_ms) {
  Watcher watcher{event.peer, event.message.request(), every_change, Instant::max()};
  if (timeout_ms != 0) {
    watcher.until = now_ + Milliseconds(std::min(timeout_ms, kLongestWaitMs));
    wait_ends_.insert({watcher.until, job.id, watcher.peer, watcher.request});
  }
  job.watchers.push_back(std::move(watcher));
}

void Coordinator::expire_watchers() {
  while (!wait_ends_.empty() && std::get<0>(*wait_ends_.begin()) <= now_) {
    const auto [until, id, peer, request] = *wait_ends_.begin();
    wait_ends_.erase(wait_ends_.begin());
    Job* job = jobs_.find(id);
    if (job == nullptr) {
      continue;
    }
    std::erase_if(job->watchers, [&](const Watcher& watcher) {
      return watcher.peer == peer && watcher.request == request && watcher.until == until;
    });
    wire::Envelope message;
    *message.mutable_job_reply() = reply_of(*job);
    reply_to(peer, request, std::move(message));
  }
}

}  // namespace baton
