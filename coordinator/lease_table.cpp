#include "coordinator/lease_table.hpp"

#include <algorithm>

#include "shared/support/check.hpp"

namespace baton {

namespace {

/// States in which a slot holds nobody's bytes.
bool is_empty_state(SlotState state) {
  return state == SlotState::kFree || state == SlotState::kAbsent || state == SlotState::kQuarantined;
}

}  // namespace

bool LeaseTable::apply(SlotId id, SlotEvent event, Epoch owner) {
  BATON_CHECK(id < slots_.size());
  Slot& slot = slots_[id];
  const Transition& cell = next_state(slot.word.state, event);
  if (!cell.legal) {
    return false;
  }
  slot.word.state = cell.next;
  if (cell.moves_generation) {
    BATON_CHECK(slot.word.generation < kMaxGeneration);
    ++slot.word.generation;
  }
  if (cell.owner != OwnerChange::kKeep) {
    slot.word.owner = cell.owner == OwnerChange::kTake ? owner : Epoch{0};
  }
  if (is_empty_state(cell.next)) {
    slot.fill_generation = 0;
    slot.job = 0;
    slot.circuit = 0;
    slot.input_digest = {};
  }
  if (cell.next == SlotState::kAbsent) {
    slot.segment = 0;
    slot.capacity = 0;
    slot.attached.reset();
  }
  return true;
}

bool LeaseTable::is_current(const Lease& lease) const noexcept {
  return lease.slot < slots_.size() && slots_[lease.slot].word.generation == lease.generation;
}

SlotId LeaseTable::take_absent() {
  const auto found = std::find_if(slots_.begin(), slots_.end(),
                                  [](const Slot& slot) { return !slot.exists() && slot.holders.none(); });
  if (found != slots_.end()) {
    return static_cast<SlotId>(found - slots_.begin());
  }
  if (slots_.size() < kMaxSlots) {
    slots_.emplace_back();
    return size() - 1;
  }
  return kMaxSlots;
}

std::uint64_t LeaseTable::memory_used() const noexcept {
  std::uint64_t bytes = 0;
  for (const Slot& slot : slots_) {
    bytes += slot.exists() ? slot.capacity : 0;
  }
  return bytes;
}

SlotEntry LeaseTable::entry(SlotId id) const noexcept {
  const Slot& slot = slots_[id];
  SlotEntry entry{};
  entry.word = pack(slot.word);
  entry.fill_generation = slot.fill_generation;
  entry.job = slot.job;
  entry.attempt_number = slot.attempt.number;
  entry.attempt_epoch = slot.attempt.epoch;
  entry.segment_id = slot.segment;
  entry.circuit = slot.circuit;
  entry.capacity = slot.capacity;
  std::copy(slot.input_digest.begin(), slot.input_digest.end(), entry.input_digest);
  return entry;
}

void LeaseTable::adopt(SlotId id, const SlotEntry& entry) {
  if (id >= slots_.size()) {
    slots_.resize(id + 1);
  }
  Slot& slot = slots_[id];
  slot.word = unpack(entry.word);
  slot.fill_generation = entry.fill_generation;
  slot.job = entry.job;
  slot.attempt = {entry.job, entry.attempt_number, entry.attempt_epoch};
  slot.segment = entry.segment_id;
  slot.circuit = entry.circuit;
  slot.capacity = entry.capacity;
  std::copy(std::begin(entry.input_digest), std::end(entry.input_digest), slot.input_digest.begin());
}

}  // namespace baton
