// What clients ask for.
#include <algorithm>
#include <span>

#include "coordinator/coordinator.hpp"
#include "shared/contract/codec.hpp"
#include "shared/support/clock.hpp"
#include "shared/support/concat.hpp"
#include "shared/support/hash.hpp"

namespace baton {

namespace {

/// What two submissions of one key must share: everything but how it is delivered.
std::string payload_digest(const wire::Submit& submit) {
  wire::Submit payload = submit;
  payload.clear_key();
  payload.clear_priority();
  payload.clear_deadline_ms();
  payload.clear_watch();
  const std::string bytes = payload.SerializeAsString();
  const Digest128 digest = hash128(std::as_bytes(std::span(bytes.data(), bytes.size())));
  std::string text;
  for (const std::uint64_t half : {digest.low, digest.high}) {
    for (int shift = 0; shift < 64; shift += 8) {
      text.push_back(static_cast<char>(half >> shift));
    }
  }
  return text;
}

Status check_submit(const wire::Submit& submit) {
  if (submit.key().empty()) {
    return invalid_input("job: expected an idempotency key");
  }
  if (submit.source_case() == wire::Submit::SOURCE_NOT_SET) {
    return invalid_input("job: expected a witness or inputs, found neither");
  }
  return Status::ok();
}

}  // namespace

void Coordinator::on_submit(const FromClient& event, const wire::Submit& submit) {
  if (const Status status = check_submit(submit); !status.is_ok()) {
    return refuse(event, status);
  }
  std::string payload = payload_digest(submit);
  if (Job* known = jobs_.find_key(submit.key())) {
    if (known->payload != payload) {
      return refuse(event,
                    {StatusCode::kExists, concat("key: job ", known->id, " has it with another payload")});
    }
    if (submit.watch() && known->stage != JobStage::kEnded) {
      add_watcher(*known, event, true, 0);
    }
    if (known->stage == JobStage::kAccepting) {
      acceptors_[known->id].push_back({event.peer, event.message.request(), true, {}});
      return;
    }
    wire::Envelope message;
    message.mutable_accepted()->set_key(submit.key());
    message.mutable_accepted()->set_job(known->id);
    message.mutable_accepted()->set_known(true);
    reply(event, std::move(message));
    if (submit.watch() && known->stage == JobStage::kEnded) {
      wire::Envelope answer;
      *answer.mutable_job_reply() = known->reply;
      reply(event, std::move(answer));
    }
    return;
  }
  if (draining_ || jobs_.open() >= config_.queue_limit || !journal_failure_.empty()) {
    counters_.add(Counter::kBusy);
    wire::Envelope message;
    message.mutable_busy()->set_retry_after_ms(static_cast<std::uint64_t>(config_.busy_retry.count()));
    message.mutable_busy()->set_text(
        draining_ ? "shutting down"
        : journal_failure_.empty()
            ? concat("queue: ", jobs_.open(), " jobs wait, the limit is ", config_.queue_limit)
            : bounded_text("journal: " + journal_failure_));
    return reply(event, std::move(message));
  }
  Status refusal;
  Circuit* circuit = circuit_for(submit, refusal);
  if (circuit == nullptr) {
    return refuse(event, refusal);
  }
  if (!submit.has_witness_path() && circuit->info.source().witness_program().empty()) {
    drop_if_unused(circuit->id);
    return refuse(event, invalid_input("job: inputs need a circuit with a witness program"));
  }
  Job& job = jobs_.add(++last_job_, submit.key());
  job.submit = submit;
  job.payload = std::move(payload);
  job.circuit = circuit->id;
  job.accepted = now_;
  ++circuit->jobs;
  acceptors_[job.id].push_back({event.peer, event.message.request(), false, {}});
  if (submit.watch()) {
    add_watcher(job, event, true, 0);
  }
  JobRow row{job.id, submit.key(), job.payload, submit, 0, {}, 0, 0, false, {}};
  emit(JournalRecord{AcceptJob{expect({PendingKind::kAccept, job.id, 0, {}, {}, 0}), std::move(row)}});
}

void Coordinator::on_job_query(const FromClient& event, const wire::JobQuery& message) {
  const Job* job = message.job() != 0 ? jobs_.find(message.job()) : jobs_.find_key(message.key());
  if (job == nullptr) {
    emit(JournalRecord{FindJob{expect({PendingKind::kFind, 0, 0, {}, event.peer, event.message.request()}),
                               message.job(), message.key()}});
    return;
  }
  wire::Envelope answer;
  *answer.mutable_job_reply() = reply_of(*job);
  reply(event, std::move(answer));
}

void Coordinator::on_job_wait(const FromClient& event, const wire::JobWait& message) {
  Job* job = message.job() != 0 ? jobs_.find(message.job()) : jobs_.find_key(message.key());
  if (job == nullptr) {
    emit(JournalRecord{FindJob{expect({PendingKind::kFind, 0, 0, {}, event.peer, event.message.request()}),
                               message.job(), message.key()}});
    return;
  }
  if (job->stage != JobStage::kEnded) {
    add_watcher(*job, event, message.watch(), message.timeout_ms());
  }
  if (job->stage == JobStage::kEnded || message.watch()) {
    wire::Envelope answer;
    *answer.mutable_job_reply() = reply_of(*job);
    reply(event, std::move(answer));
  }
}

/// Answered when the job's end is durable: cancelled now, or as it had ended before.
void Coordinator::on_cancel_job(const FromClient& event, const wire::CancelJob& message) {
  Job* job = message.job() != 0 ? jobs_.find(message.job()) : jobs_.find_key(message.key());
  if (job == nullptr) {
    emit(JournalRecord{FindJob{expect({PendingKind::kFind, 0, 0, {}, event.peer, event.message.request()}),
                               message.job(), message.key()}});
    return;
  }
  if (job->stage == JobStage::kAccepting) {
    return refuse(event, {StatusCode::kBusy, "job: is being accepted, try again"});
  }
  if (job->stage == JobStage::kEnded) {
    wire::Envelope answer;
    *answer.mutable_job_reply() = job->reply;
    return reply(event, std::move(answer));
  }
  add_watcher(*job, event, false, 0);
  end_job(*job, wire::JOB_CANCELLED, {StatusCode::kCancelled, "cancelled by a client"});
}

void Coordinator::on_job_list(const FromClient& event, const wire::JobList& message) {
  std::vector<JobId> ids;
  for (const auto& [id, job] : jobs_.all()) {
    ids.push_back(id);
  }
  std::sort(ids.rbegin(), ids.rend());
  const std::size_t limit = message.limit() == 0 ? 100 : message.limit();
  ids.resize(std::min(ids.size(), limit));
  wire::Envelope answer;
  answer.mutable_job_list_reply();
  for (const JobId id : ids) {
    wire::JobReply entry = reply_of(*jobs_.find(id));
    entry.clear_proof();
    entry.clear_publics();
    *answer.mutable_job_list_reply()->add_jobs() = std::move(entry);
  }
  reply(event, std::move(answer));
}

/// Answered when the circuit is ready, or cannot be.
void Coordinator::on_circuit_add(const FromClient& event, const wire::CircuitAdd& message) {
  if (message.name().empty() || message.source().key_path().empty()) {
    return refuse(event, invalid_input("circuit: expected a name and a key path"));
  }
  Circuit* circuit = circuits_.find_name(message.name());
  if (circuit != nullptr &&
      circuit->info.source().SerializeAsString() != message.source().SerializeAsString()) {
    return refuse(event,
                  {StatusCode::kExists, concat("circuit '", message.name(), "': exists with other files")});
  }
  if (circuit == nullptr && circuits_.all().size() >= config_.circuit_limit) {
    return refuse(event, {StatusCode::kLimit, concat("circuits: expected at most ", config_.circuit_limit)});
  }
  if (circuit == nullptr) {
    circuit = &circuits_.add(message.name(), message.source());
  }
  if (circuit->stage == CircuitStage::kReady) {
    wire::Envelope answer;
    *answer.mutable_circuit_reply()->add_circuits() = entry_of(*circuit);
    return reply(event, std::move(answer));
  }
  circuit_watchers_[circuit->id].push_back({event.peer, event.message.request(), false, Instant::max()});
  want_prepared(*circuit);
}

void Coordinator::on_circuit_list(const FromClient& event) {
  std::vector<CircuitId> ids;
  for (const auto& [id, circuit] : circuits_.all()) {
    if (!circuit.replaced) {
      ids.push_back(id);
    }
  }
  std::sort(ids.begin(), ids.end());
  wire::Envelope answer;
  answer.mutable_circuit_reply();
  for (const CircuitId id : ids) {
    *answer.mutable_circuit_reply()->add_circuits() = entry_of(*circuits_.find(id));
  }
  reply(event, std::move(answer));
}

void Coordinator::on_circuit_info(const FromClient& event, const wire::CircuitInfo& message) {
  const Circuit* circuit = circuits_.find_name(message.name());
  if (circuit == nullptr) {
    return refuse(event, {StatusCode::kNotFound, concat("circuit '", message.name(), "': no such circuit")});
  }
  wire::Envelope answer;
  *answer.mutable_circuit_reply()->add_circuits() = entry_of(*circuit);
  reply(event, std::move(answer));
}

/// Jobs that were accepted for it are still proved.
void Coordinator::on_circuit_remove(const FromClient& event, const wire::CircuitRemove& message) {
  Circuit* circuit = circuits_.find_name(message.name());
  if (circuit == nullptr) {
    return refuse(event, {StatusCode::kNotFound, concat("circuit '", message.name(), "': no such circuit")});
  }
  const CircuitId id = circuit->id;
  if (circuit_watchers_.contains(id)) {
    return refuse(event, {StatusCode::kBusy, concat("circuit '", message.name(), "': is being prepared")});
  }
  circuits_.detach(*circuit);
  drop_if_unused(id);
  wire::Envelope answer;
  answer.mutable_done();
  reply(event, std::move(answer));
}

void Coordinator::on_drain(const FromClient& event, const wire::Drain& message) {
  begin_drain(message.now() ? Milliseconds(0)
                            : Milliseconds(std::min<std::uint64_t>(message.grace_ms(), 3'600'000)));
  wire::Envelope answer;
  answer.mutable_done();
  reply(event, std::move(answer));
}

}  // namespace baton
