#include "gpu-worker/gpu_worker.hpp"

#include <array>
#include <cstdio>
#include <utility>

#include "gpu-worker/resident_report.hpp"
#include "shared/contract/codec.hpp"
#include "shared/support/clock.hpp"
#include "shared/support/exit_codes.hpp"
#include "shared/support/fault_point.hpp"
#include "shared/worker/worker_messages.hpp"

namespace baton {

namespace {

/// One line of where a proof's time went, in milliseconds.
std::string text_of(const wire::ProveTimings& t) {
  const double gb_per_s = t.copy_ms() == 0 ? 0 : static_cast<double>(t.copy_bytes()) / t.copy_ms() / 1e6;
  std::array<char, 256> text{};
  std::snprintf(
      text.data(), text.size(),
      "proved in %.1f ms: copy %.1f (%.1f MB at %.1f GB/s), wait %.1f, compute %.1f (quotient %.1f, A %.1f, "
      "B1 %.1f, B2 %.1f, C and H %.1f), assemble %.1f, verify %.1f",
      t.total_ms(), t.copy_ms(), static_cast<double>(t.copy_bytes()) / 1e6, gb_per_s, t.wait_ms(),
      t.compute_ms(), t.ntt_ms(), t.msm_a_ms(), t.msm_b1_ms(), t.msm_b2_ms(), t.msm_ch_ms(), t.assemble_ms(),
      t.verify_ms());
  return text.data();
}

}  // namespace

GpuWorker::GpuWorker(const ProveContext& context, unsigned lanes, Outbox& outbox, const Log& log)
    : context_(context), lanes_(lanes), outbox_(outbox), log_(log) {
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    threads_.emplace_back([this, lane] { serve_lane(lane); });
  }
  threads_.emplace_back([this] { serve_loads(); });
}

GpuWorker::~GpuWorker() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_lanes_.notify_all();
  wake_loader_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

void GpuWorker::describe(wire::Hello& hello) {
  hello.set_lanes(lanes_);
  hello.set_backend(bounded_text(context_.backend.description()));
  report_resident_keys(context_.backend, hello);
}

void GpuWorker::welcomed(const wire::Welcome& /*welcome*/, const Ledger& ledger) {
  const std::lock_guard lock(mutex_);
  ledger_ = &ledger;
}

Status GpuWorker::attached(const AttachedSlot& slot) {
  auto range = context_.backend.register_range(slot.segment.bytes());
  if (range.is_ok()) {
    registered_[slot.identity.slot] = std::move(*range);
    return Status::ok();
  }
  if (range.status().code() == StatusCode::kGpuSticky) {
    outbox_.request_exit(exit_code::kStickyGpu);
    return range.status();
  }
  log_.warn("slot " + std::to_string(slot.identity.slot) + ", " + std::to_string(slot.identity.capacity) +
            " bytes, is not registered and will be copied slowly: " + range.status().to_string());
  return Status::ok();
}

void GpuWorker::detaching(const AttachedSlot& slot) {
  registered_.erase(slot.identity.slot);
}

void GpuWorker::handle(const wire::Envelope& message, const AttachedSlot* slot) {
  if (message.has_unload()) {
    return context_.keys.unload(message.unload().circuit());
  }
  const std::lock_guard lock(mutex_);
  if (message.has_prove()) {
    waiting_.push_back({message.prove(), slot});
    wake_lanes_.notify_one();
  } else if (message.has_preload()) {
    loads_.push_back(message.preload().circuit());
    wake_loader_.notify_one();
  }
}

/// A proof that has begun runs to its end: it is short, and its slot is released by its upload.
void GpuWorker::cancel(const Attempt& attempt) {
  const std::lock_guard lock(mutex_);
  waiting_.remove_if([&](const Task& task) {
    if (from_wire(task.request.attempt()) != attempt) {
      return false;
    }
    outbox_.post(prove_failed(from_wire(task.request.lease()), attempt, wire::PROVE_FAILURE_CANCELLED,
                              {StatusCode::kCancelled, "cancelled"}));
    return true;
  });
}

void GpuWorker::serve_lane(unsigned lane) {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_lanes_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) {
      return;
    }
    const Task task = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    prove(lane, task);
    lock.lock();
  }
}

void GpuWorker::prove(unsigned lane, const Task& task) {
  fault_point("gpu.prove_received");
  const Ledger* ledger = nullptr;
  {
    const std::lock_guard lock(mutex_);
    ledger = ledger_;
  }
  const LogFields fields{task.request.attempt().job(), task.request.lease().slot(),
                         task.request.lease().generation()};
  bool announced = false;
  const auto uploaded = [&] {
    if (!std::exchange(announced, true)) {
      wire::Envelope envelope;
      *envelope.mutable_uploaded()->mutable_lease() = task.request.lease();
      *envelope.mutable_uploaded()->mutable_attempt() = task.request.attempt();
      outbox_.post(std::move(envelope));
      fault_point("gpu.after_upload");
    }
  };
  ProveOutcome outcome = prove_job(context_, lane, task.request, *task.slot, *ledger, uploaded);
  if (outcome.answer.has_prove_failed()) {
    log_.warn("proof failed: " + outcome.answer.prove_failed().text(), fields);
  } else {
    log_.info(text_of(outcome.answer.proved().timings()), fields);
  }
  outbox_.post(std::move(outcome.answer));
  if (outcome.sticky) {
    outbox_.request_exit(exit_code::kStickyGpu);
  }
}

void GpuWorker::serve_loads() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_loader_.wait(lock, [this] { return stopping_ || !loads_.empty(); });
    if (stopping_) {
      return;
    }
    const wire::Circuit circuit = std::move(loads_.front());
    loads_.pop_front();
    lock.unlock();
    load(circuit);
    lock.lock();
  }
}

void GpuWorker::load(const wire::Circuit& circuit) {
  const Stopwatch watch;
  const auto key = context_.keys.ensure(circuit);
  wire::Envelope envelope;
  wire::Preloaded& reply = *envelope.mutable_preloaded();
  reply.set_circuit(circuit.id());
  reply.set_code(static_cast<std::uint32_t>(key.status().code()));
  reply.set_text(bounded_text(key.status().message()));
  reply.set_bytes(context_.keys.resident_bytes(circuit.id()));
  reply.set_load_ms(watch.milliseconds());
  reply.set_backend(bounded_text(context_.backend.description()));
  report_resident_keys(context_.backend, reply);
  outbox_.post(std::move(envelope));
  if (key.status().code() == StatusCode::kGpuSticky) {
    outbox_.request_exit(exit_code::kStickyGpu);
  }
}

}  // namespace baton
