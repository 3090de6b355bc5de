// What becomes of a job when the journal has answered.
#include "coordinator/coordinator.hpp"
#include "shared/contract/codec.hpp"
#include "shared/support/concat.hpp"

namespace baton {

void Coordinator::on_accepted(JobId id) {
  Job* job = jobs_.find(id);
  if (job == nullptr) {
    return;
  }
  counters_.add(Counter::kJobsAccepted);
  for (const Watcher& client : std::exchange(acceptors_[id], {})) {
    wire::Envelope message;
    message.mutable_accepted()->set_key(job->submit.key());
    message.mutable_accepted()->set_job(id);
    message.mutable_accepted()->set_known(client.every_change);
    reply_to(client.peer, client.request, std::move(message));
  }
  acceptors_.erase(id);
  Circuit* circuit = circuits_.find(job->circuit);
  if (job->submit.deadline_ms() != 0) {
    jobs_.set_deadline(*job, job->accepted + Milliseconds(job->submit.deadline_ms()));
  }
  set_stage(*job, circuit->stage == CircuitStage::kReady ? JobStage::kWaitFill : JobStage::kWaitCircuit);
  want_prepared(*circuit);
  if (circuit->stage == CircuitStage::kReady && !circuit->preloaded) {
    preload(*circuit);
  }
}

void Coordinator::on_end_committed(const Pending& pending) {
  if (pending.worker != 0) {
    if (Worker* worker = workers_.find(pending.worker)) {
      ack(*worker, pending.attempt);
    }
  }
  Job* job = jobs_.find(pending.job);
  if (job == nullptr) {
    return;
  }
  jobs_.set_stage(*job, JobStage::kEnded, now_);
  for (const Watcher& watcher : job->watchers) {
    wait_ends_.erase({watcher.until, job->id, watcher.peer, watcher.request});
    wire::Envelope message;
    *message.mutable_job_reply() = job->reply;
    reply_to(watcher.peer, watcher.request, std::move(message));
  }
  job->watchers = {};
  jobs_.forget_ended(config_.retained_jobs);
}

/// The key names a job that ended long ago: the new one was never accepted.
void Coordinator::on_existing(const Pending& pending, const JobRow& row) {
  Job* job = jobs_.find(pending.job);
  if (job == nullptr) {
    return;
  }
  const bool same = job->payload == row.payload;
  const std::vector<Watcher> watchers = job->watchers;
  for (const Watcher& client : acceptors_[job->id]) {
    wire::Envelope message;
    if (same) {
      message.mutable_accepted()->set_key(row.key);
      message.mutable_accepted()->set_job(row.id);
      message.mutable_accepted()->set_known(true);
    } else {
      message.mutable_refused()->set_code(static_cast<std::uint32_t>(StatusCode::kExists));
      message.mutable_refused()->set_text(concat("key: job ", row.id, " has it with another payload"));
    }
    reply_to(client.peer, client.request, std::move(message));
  }
  for (const Watcher& watcher : watchers) {
    if (same) {
      wire::Envelope message;
      *message.mutable_job_reply() = row.reply;
      reply_to(watcher.peer, watcher.request, std::move(message));
    }
  }
  acceptors_.erase(job->id);
  const CircuitId circuit_id = job->circuit;
  --circuits_.find(circuit_id)->jobs;
  jobs_.remove(job->id);
  drop_if_unused(circuit_id);
}

void Coordinator::on_found(const Pending& pending, const std::optional<JobRow>& row) {
  wire::Envelope message;
  if (row) {
    *message.mutable_job_reply() = row->reply;
  } else {
    message.mutable_refused()->set_code(static_cast<std::uint32_t>(StatusCode::kNotFound));
    message.mutable_refused()->set_text("job: no such job");
  }
  reply_to(pending.peer, pending.request, std::move(message));
}

}  // namespace baton
