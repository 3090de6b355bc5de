// Slots: every change of the ledger, and the pool that grows and shrinks by whole segments.
#include <algorithm>

#include "coordinator/coordinator.hpp"
#include "shared/contract/codec.hpp"
#include "shared/contract/names.hpp"
#include "shared/support/concat.hpp"

namespace baton {

bool Coordinator::move(SlotId id, SlotEvent event, Epoch owner) {
  const Slot& slot = slots_.at(id);
  const JobId job_before = slot.job;
  if (!slots_.apply(id, event, owner)) {
    counters_.add(Counter::kIgnoredEvents);
    return false;
  }
  if (slot.job == 0 && job_before != 0) {
    Job* job = jobs_.find(job_before);
    if (job != nullptr && job->slot == id) {
      job->slot = kNoSlot;
    }
  }
  store(id);
  return true;
}

/// Frees a slot that nobody may touch and whose job no longer wants it.
void Coordinator::settle(SlotId id) {
  const Slot& slot = slots_.at(id);
  if (slot.word.state != SlotState::kSealed && slot.word.state != SlotState::kUploaded) {
    return;
  }
  const Job* job = jobs_.find(slot.job);
  if (job == nullptr || job->is_over() || job->slot != id) {
    move(id, SlotEvent::kCancelled);
  }
}

void Coordinator::attach(Worker& worker, SlotId id) {
  Slot& slot = slots_.at(id);
  const SlotState state = slot.word.state;
  if (state == SlotState::kAbsent || state == SlotState::kQuarantined || slot.attached.test(worker.index)) {
    return;
  }
  slot.holders.set(worker.index);
  wire::Envelope message = envelope();
  message.mutable_attach()->set_slot(id);
  message.mutable_attach()->set_segment(slot.segment);
  message.mutable_attach()->set_name(slot_name(config_.session, id, slot.segment));
  message.mutable_attach()->set_bytes(slot.capacity);
  send(worker, std::move(message));
}

void Coordinator::detach_all(SlotId id) {
  Slot& slot = slots_.at(id);
  slot.attached.reset();
  for (auto& [epoch, worker] : workers_.all()) {
    if (slot.holders.test(worker.index)) {
      wire::Envelope message = envelope();
      message.mutable_detach()->set_slot(id);
      message.mutable_detach()->set_segment(slot.segment);
      send(worker, std::move(message));
    }
  }
  release_if_unheld(id);
}

void Coordinator::release_if_unheld(SlotId id) {
  const Slot& slot = slots_.at(id);
  if (slot.word.state == SlotState::kQuarantined && slot.holders.none()) {
    const SegmentId segment = slot.segment;
    move(id, SlotEvent::kReleased);
    emit(DropSegment{id, segment});
  }
}

/// Enough that every synth-worker can fill while every lane reads, and one more for a critical job.
std::uint32_t Coordinator::slots_wanted() const {
  if (config_.slots_per_class != 0) {
    return config_.slots_per_class;
  }
  const std::uint32_t wanted = workers_.lanes(WorkerRole::kSynth) + 2 * workers_.lanes(WorkerRole::kGpu) + 1;
  return std::clamp(wanted, 2u, static_cast<std::uint32_t>(kMaxSlots));
}

bool Coordinator::can_grow(const Circuit& circuit) const {
  std::uint32_t usable = 0;
  for (SlotId id = 0; id < slots_.size(); ++id) {
    const Slot& slot = slots_.at(id);
    const bool counts = slot.exists() && slot.word.state != SlotState::kQuarantined;
    usable +=
        counts && slot.capacity >= circuit.slot_bytes && slot.capacity / 2 <= circuit.slot_bytes ? 1 : 0;
  }
  return usable < slots_wanted() && circuit.slot_bytes <= config_.memory_budget;
}

/// Asks for one more segment for the circuit. True while one is on its way.
bool Coordinator::grow(const Job& job, const Circuit& circuit) {
  for (SlotId id = 0; id < slots_.size(); ++id) {
    if (slots_.at(id).creating && slots_.at(id).capacity >= circuit.slot_bytes) {
      return true;
    }
  }
  if (!can_grow(circuit) || !make_room(circuit.slot_bytes)) {
    return false;
  }
  const SlotId id = slots_.take_absent();
  if (id == kMaxSlots) {
    return false;
  }
  Slot& slot = slots_.at(id);
  slot.creating = true;
  slot.segment = ++last_segment_;
  slot.capacity = circuit.slot_bytes;
  slot.attached.reset();
  emit(CreateSegment{id, slot.segment, slot.capacity});
  log(LogLevel::kInfo, concat("segment of ", slot.capacity, " bytes for circuit ", circuit.id),
      {job.id, id, 0});
  return true;
}

/// True when `bytes` fit the budget now; gives up free slots that are too small when they do not.
bool Coordinator::make_room(std::uint64_t bytes) {
  const std::uint64_t used = slots_.memory_used();
  if (used + bytes <= config_.memory_budget) {
    return true;
  }
  std::uint64_t leaving = 0;
  for (SlotId id = 0; id < slots_.size(); ++id) {
    leaving += slots_.at(id).word.state == SlotState::kQuarantined ? slots_.at(id).capacity : 0;
  }
  for (SlotId id = 0; id < slots_.size() && used - leaving + bytes > config_.memory_budget; ++id) {
    const Slot& slot = slots_.at(id);
    if (slot.word.state == SlotState::kUploaded && slot.capacity < bytes) {
      counters_.add(Counter::kReclaimedUploads);
      move(id, SlotEvent::kWanted);
    }
    if (slot.word.state == SlotState::kFree && slot.capacity < bytes) {
      leaving += slot.capacity;
      move(id, SlotEvent::kRetired);
      detach_all(id);
    }
  }
  return slots_.memory_used() + bytes <= config_.memory_budget;
}

}  // namespace baton
