#include "coordinator/scheduler.hpp"

#include <tuple>

namespace baton::scheduler {

namespace {

bool fits(const Worker& worker, const Wish& wish) {
  return worker.has_room() && (!wish.alone || worker.tasks.empty());
}

bool has_attached(const Worker& worker, const Slot* slot) {
  return slot == nullptr || slot->attached.test(worker.index);
}

bool is_usable(const Slot& slot, const Wish& wish) {
  const bool open = slot.word.state == SlotState::kFree || slot.word.state == SlotState::kUploaded;
  return open && slot.capacity >= wish.bytes;
}

bool any_idle_synth(WorkerRegistry& workers, const Wish& wish, const Slot& slot) {
  return pick_synth(workers, wish, &slot) != nullptr;
}

}  // namespace

Worker* pick_synth(WorkerRegistry& workers, const Wish& wish, const Slot* slot) {
  Worker* best = nullptr;
  const auto order = [&](const Worker& worker) {
    return std::tuple(worker.epoch == wish.avoid, worker.last_grant, worker.epoch);
  };
  for (auto& [epoch, worker] : workers.all()) {
    if (worker.role == WorkerRole::kSynth && fits(worker, wish) && has_attached(worker, slot) &&
        (best == nullptr || order(worker) < order(*best))) {
      best = &worker;
    }
  }
  return best;
}

Worker* pick_gpu(WorkerRegistry& workers, const Wish& wish, const Slot& slot, bool reserve_lane) {
  Worker* best = nullptr;
  std::size_t free_lanes = 0;
  const auto order = [&](const Worker& worker) {
    return std::tuple(worker.epoch == wish.avoid, !worker.keys.contains(wish.circuit), worker.tasks.size(),
                      worker.last_grant, worker.epoch);
  };
  for (auto& [epoch, worker] : workers.all()) {
    if (worker.role != WorkerRole::kGpu || !worker.has_room()) {
      continue;
    }
    free_lanes += worker.lanes - worker.tasks.size();
    if (fits(worker, wish) && has_attached(worker, &slot) &&
        (best == nullptr || order(worker) < order(*best))) {
      best = &worker;
    }
  }
  return reserve_lane && !wish.critical && free_lanes <= 1 ? nullptr : best;
}

SlotId pick_slot(const LeaseTable& slots, WorkerRegistry& workers, const Wish& wish, bool reserve) {
  SlotId best = kMaxSlots;
  std::size_t usable = 0;
  const auto order = [&](SlotId id) {
    const Slot& slot = slots.at(id);
    return std::tuple(slot.word.state != SlotState::kFree, slot.capacity, id);
  };
  for (SlotId id = 0; id < slots.size(); ++id) {
    if (!is_usable(slots.at(id), wish)) {
      continue;
    }
    ++usable;
    if ((best == kMaxSlots || order(id) < order(best)) && any_idle_synth(workers, wish, slots.at(id))) {
      best = id;
    }
  }
  return reserve && !wish.critical && usable <= 1 ? kMaxSlots : best;
}

bool has_usable_slot(const LeaseTable& slots, const Wish& wish) {
  for (SlotId id = 0; id < slots.size(); ++id) {
    if (is_usable(slots.at(id), wish)) {
      return true;
    }
  }
  return false;
}

bool is_attached_by_gpu(const WorkerRegistry& workers, const Slot& slot) {
  for (const auto& [epoch, worker] : workers.all()) {
    if (worker.role == WorkerRole::kGpu && worker.state == WorkerState::kReady &&
        slot.attached.test(worker.index)) {
      return true;
    }
  }
  return false;
}

}  // namespace baton::scheduler
