#include "synth-worker/synth_worker.hpp"

#include <utility>

#include "shared/contract/codec.hpp"
#include "shared/support/fault_point.hpp"
#include "shared/worker/worker_messages.hpp"
#include "synth-worker/circuit_preparation.hpp"
#include "synth-worker/fill.hpp"

namespace baton {

namespace {

/// After the fork of a child, still this very program, even when its file has been replaced.
constexpr const char* kOwnProgram = "/proc/self/exe";

/// The attempt of a grant that this role knows.
std::optional<Attempt> granted_attempt(const wire::Envelope& message) {
  if (message.has_fill()) {
    return from_wire(message.fill().attempt());
  }
  if (message.has_prepare()) {
    return from_wire(message.prepare().attempt());
  }
  return std::nullopt;
}

}  // namespace

Result<std::unique_ptr<SynthWorker>> SynthWorker::create(Outbox& outbox, const Log& log) {
  std::unique_ptr<SynthWorker> worker(new SynthWorker(outbox, log));  // NOLINT: the constructor is private
  worker->thread_ = std::thread([self = worker.get()] { self->serve(); });
  return worker;
}

SynthWorker::~SynthWorker() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (Task& task : tasks_) {
      task.cancelled.signal();
    }
  }
  wake_.notify_one();
  thread_.join();
}

void SynthWorker::describe(wire::Hello& hello) {
  hello.set_lanes(1);
}

void SynthWorker::welcomed(const wire::Welcome& welcome, const Ledger& /*ledger*/) {
  const std::lock_guard lock(mutex_);
  cache_directory_ = welcome.cache_directory();
}

Status SynthWorker::attached(const AttachedSlot& /*slot*/) {
  return Status::ok();
}

void SynthWorker::detaching(const AttachedSlot& /*slot*/) {}

void SynthWorker::handle(const wire::Envelope& message, const AttachedSlot* slot) {
  const std::optional<Attempt> attempt = granted_attempt(message);
  if (!attempt) {
    return;
  }
  auto cancelled = EventFd::create();
  if (!cancelled.is_ok()) {
    log_.error(cancelled.status().to_string());
    return outbox_.post(message.has_fill()
                            ? fill_failed(from_wire(message.fill().lease()), *attempt, cancelled.status())
                            : prepare_failed(*attempt, cancelled.status()));
  }
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back({message, slot, *attempt, now(), std::move(*cancelled)});
  }
  wake_.notify_one();
}

void SynthWorker::cancel(const Attempt& attempt) {
  const std::lock_guard lock(mutex_);
  for (Task& task : tasks_) {
    if (task.attempt == attempt) {
      task.cancelled.signal();
    }
  }
}

void SynthWorker::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
    if (stopping_) {
      return;
    }
    const Task& task = tasks_.front();
    const std::string cache_directory = cache_directory_;
    lock.unlock();
    outbox_.post(task.message.has_fill() ? fill(task, cache_directory) : prepare(task, cache_directory));
    lock.lock();
    tasks_.pop_front();
  }
}

wire::Envelope SynthWorker::fill(const Task& task, const std::string& cache_directory) {
  const wire::Fill& request = task.message.fill();
  const Lease lease = from_wire(request.lease());
  const LogFields fields{task.attempt.job, lease.slot, lease.generation};
  const auto carried_out = [&]() -> Result<FillResult> {
    BATON_RETURN_IF_ERROR(fault_status("synth.fill_received"));
    BATON_ASSIGN_OR_RETURN(const ConstraintMatrix* matrix,
                           circuits_.find(request.circuit(), cache_directory));
    return fill_slot(request, *matrix, task.slot->segment.writable_bytes(), task.slot->identity,
                     task.received, task.cancelled.fd(), kOwnProgram);
  }();
  if (!carried_out.is_ok()) {
    log_.warn("fill failed: " + carried_out.status().to_string(), fields);
    return fill_failed(lease, task.attempt, carried_out.status());
  }
  log_.debug("filled", fields);
  wire::Envelope envelope;
  wire::Filled& filled = *envelope.mutable_filled();
  *filled.mutable_lease() = request.lease();
  *filled.mutable_attempt() = request.attempt();
  filled.set_input_digest(digest_to_wire(carried_out->input_digest));
  *filled.mutable_timings() = carried_out->timings;
  return envelope;
}

wire::Envelope SynthWorker::prepare(const Task& task, const std::string& cache_directory) {
  const wire::Prepare& request = task.message.prepare();
  auto prepared = prepare_circuit(request.circuit(), request.full_check(), cache_directory);
  if (!prepared.is_ok()) {
    log_.warn("circuit refused: " + prepared.status().to_string());
    return prepare_failed(task.attempt, prepared.status());
  }
  log_.info("circuit " + std::to_string(request.circuit().id()) +
            " prepared: " + request.circuit().source().key_path());
  wire::Envelope envelope;
  wire::Prepared& reply = *envelope.mutable_prepared();
  *reply.mutable_attempt() = request.attempt();
  *reply.mutable_circuit() = prepared->circuit;
  reply.set_check_ms(prepared->check_ms);
  reply.set_compile_ms(prepared->compile_ms);
  circuits_.insert(prepared->circuit.fingerprint(), std::move(prepared->matrix));
  return envelope;
}

}  // namespace baton
