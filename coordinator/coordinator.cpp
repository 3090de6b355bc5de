#include "coordinator/coordinator.hpp"

#include <algorithm>
#include <bit>

#include "shared/contract/codec.hpp"
#include "shared/support/concat.hpp"

namespace baton {

using Kind = wire::Envelope::BodyCase;

Coordinator::Coordinator(CoordinatorConfig config) : config_(std::move(config)) {}

void Coordinator::handle(const Event& event, Instant now, Actions& out) {
  now_ = now;
  out_ = &out;
  if (started_ == Instant{}) {
    started_ = now;
  }
  std::visit([this](const auto& e) { on(e); }, event);
  check_deadlines();
  schedule();
  advance_drain();
  out_ = nullptr;
}

Instant Coordinator::next_time() const {
  Instant next = std::min(jobs_.next_time(), shutdown_sent_ || draining_ ? drain_until_ : Instant::max());
  for (const auto& [epoch, worker] : workers_.all()) {
    if (worker.state != WorkerState::kDoomed) {
      for (const Task& task : worker.tasks) {
        next = std::min(next, task.deadline);
      }
    }
  }
  return wait_ends_.empty() ? next : std::min(next, std::get<0>(*wait_ends_.begin()));
}

void Coordinator::on(const FromWorker& event) {
  const wire::Envelope& e = event.message;
  if (e.body_case() == Kind::kHello) {
    on_hello(event);
    return;
  }
  Worker* worker = workers_.find_peer(event.peer);
  if (worker == nullptr) {
    counters_.add(Counter::kUnknownPeers);
    return;
  }
  if (e.session() != config_.session) {
    counters_.add(Counter::kStaleMessages);
    return;
  }
  switch (e.body_case()) {
    case Kind::kAttached:
      return on_attached(*worker, e.attached());
    case Kind::kDetached:
      return on_detached(*worker, e.detached());
    case Kind::kPreloaded:
      return on_preloaded(*worker, e.preloaded());
    case Kind::kBye:
      return on_bye(*worker, e.bye());
    case Kind::kPrepared:
      return on_prepared(*worker, e.prepared());
    case Kind::kPrepareFailed:
      return on_prepare_failed(*worker, e.prepare_failed());
    case Kind::kFilled:
      return on_filled(*worker, e.filled());
    case Kind::kFillFailed:
      return on_fill_failed(*worker, e.fill_failed());
    case Kind::kUploaded:
      return on_uploaded(*worker, e.uploaded());
    case Kind::kProved:
      return on_proved(*worker, e.proved());
    case Kind::kProveFailed:
      return on_prove_failed(*worker, e.prove_failed());
    default:
      counters_.add(Counter::kBadFrames);
  }
}

void Coordinator::on(const FromClient& event) {
  const wire::Envelope& e = event.message;
  switch (e.body_case()) {
    case Kind::kSubmit:
      return on_submit(event, e.submit());
    case Kind::kJobQuery:
      return on_job_query(event, e.job_query());
    case Kind::kJobWait:
      return on_job_wait(event, e.job_wait());
    case Kind::kCancelJob:
      return on_cancel_job(event, e.cancel_job());
    case Kind::kJobList:
      return on_job_list(event, e.job_list());
    case Kind::kCircuitAdd:
      return on_circuit_add(event, e.circuit_add());
    case Kind::kCircuitList:
      return on_circuit_list(event);
    case Kind::kCircuitInfo:
      return on_circuit_info(event, e.circuit_info());
    case Kind::kCircuitRemove:
      return on_circuit_remove(event, e.circuit_remove());
    case Kind::kStatusRequest:
      return on_status_request(event);
    case Kind::kDrain:
      return on_drain(event, e.drain());
    default:
      counters_.add(Counter::kBadFrames);
      refuse(event, invalid_input(concat("message ", name_of(e.body_case()), " does not come from clients")));
  }
}

void Coordinator::on(const BadFrame& event) {
  counters_.add(Counter::kBadFrames);
  if (std::has_single_bit(counters_.at(Counter::kBadFrames))) {
    log(LogLevel::kWarn,
        concat("bad frame number ", counters_.at(Counter::kBadFrames), ": ", event.status.message()));
  }
  if (event.from_worker) {
    if (event.status.code() == StatusCode::kVersionMismatch) {
      reject(event.peer, event.status);
    }
    return;
  }
  refuse(FromClient{event.peer, {}}, event.status);
}

void Coordinator::on(const WorkerEnded& event) {
  const Worker* worker = workers_.find(event.epoch);
  worker_gone(event.epoch, worker != nullptr && worker->state == WorkerState::kDoomed);
}

// Deaths come from the kernel and hangs are deadlines: a failed send needs no handling of its own.
void Coordinator::on(const SendFailed&) {
  counters_.add(Counter::kSendFailures);
}

void Coordinator::on(const SegmentReady& event) {
  Slot& slot = slots_.at(event.slot);
  slot.creating = false;
  if (!event.status.is_ok()) {
    log(LogLevel::kError, event.status.message(), {0, event.slot, 0});
    // What is there now is all that there is.
    slot.capacity = 0;
    slot.segment = 0;
    config_.memory_budget = slots_.memory_used();
    return;
  }
  move(event.slot, SlotEvent::kPublished);
  for (auto& [epoch, worker] : workers_.all()) {
    if (worker.state == WorkerState::kReady && !worker.peer.empty()) {
      attach(worker, event.slot);
    }
  }
}

void Coordinator::on(const JournalAnswered& event) {
  if (const auto* failed = std::get_if<JournalFailed>(&event.reply)) {
    journal_failure_ = failed->status.message();
    return log(LogLevel::kError, failed->status.is_ok() ? std::string("journal: can be written again")
                                                        : concat(journal_failure_, "; nothing is accepted"));
  }
  const Ticket ticket = std::visit(
      [](const auto& answer) -> Ticket {
        if constexpr (requires { answer.ticket; }) {
          return answer.ticket;
        } else {
          return 0;
        }
      },
      event.reply);
  const auto found = pending_.find(ticket);
  if (found == pending_.end()) {
    return;
  }
  const Pending pending = std::move(found->second);
  pending_.erase(found);
  if (const auto* existing = std::get_if<Existing>(&event.reply)) {
    on_existing(pending, existing->row);
  } else if (const auto* row = std::get_if<Found>(&event.reply)) {
    on_found(pending, row->row);
  } else if (pending.kind == PendingKind::kAccept) {
    on_accepted(pending.job);
  } else if (pending.kind == PendingKind::kEnd) {
    on_end_committed(pending);
  }
}

void Coordinator::on(const Tick&) {
  jobs_.wake(now_);
  for (const JobId id : jobs_.overdue(now_)) {
    end_job(*jobs_.find(id), wire::JOB_FAILED, {StatusCode::kDeadline, "the job's deadline has passed"});
  }
  expire_watchers();
}

void Coordinator::on(const StopRequested& event) {
  begin_drain(draining_ ? Milliseconds(0) : Milliseconds(event.grace_ms));
}

wire::Envelope Coordinator::envelope() const {
  wire::Envelope message;
  message.set_session(config_.session);
  message.set_incarnation(config_.incarnation);
  return message;
}

void Coordinator::send(Worker& worker, wire::Envelope message) {
  if (!worker.peer.empty()) {
    emit(SendToWorker{worker.peer, std::move(message)});
  }
}

void Coordinator::reply_to(const std::string& peer, std::uint64_t request, wire::Envelope message) {
  message.set_session(config_.session);
  message.set_request(request);
  emit(SendToClient{peer, std::move(message)});
}

void Coordinator::reply(const FromClient& to, wire::Envelope message) {
  reply_to(to.peer, to.message.request(), std::move(message));
}

void Coordinator::refuse(const FromClient& to, const Status& status) {
  wire::Envelope message;
  message.mutable_refused()->set_code(static_cast<std::uint32_t>(status.code()));
  message.mutable_refused()->set_text(bounded_text(status.message()));
  reply(to, std::move(message));
}

void Coordinator::log(LogLevel level, std::string text, const LogFields& fields) {
  emit(WriteLog{level, std::move(text), fields});
}

Ticket Coordinator::expect(Pending pending) {
  pending_.emplace(++last_ticket_, std::move(pending));
  return last_ticket_;
}

}  // namespace baton
