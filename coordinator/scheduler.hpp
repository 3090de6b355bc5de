#pragma once

#include "coordinator/lease_table.hpp"
#include "coordinator/worker_registry.hpp"
#include "shared/contract/lease.hpp"

namespace baton {

/// Who is paired with what. Pure: looks, never changes.
namespace scheduler {

/// What a job asks of a slot or a worker.
struct Wish {
  std::uint64_t bytes = 0;  ///< capacity needed
  CircuitId circuit = 0;
  bool critical = false;
  bool alone = false;  ///< a suspect
  Epoch avoid = 0;
};

/// An idle synth-worker, the one that waits longest first; `slot` restricts to those that have it attached.
[[nodiscard]] Worker* pick_synth(WorkerRegistry& workers, const Wish& wish, const Slot* slot);

/// A gpu-worker with a free lane that has the slot attached: with the circuit's key first, then the least
/// loaded. `reserve_lane`: the last free lane of the service is for critical jobs.
[[nodiscard]] Worker* pick_gpu(WorkerRegistry& workers, const Wish& wish, const Slot& slot,
                               bool reserve_lane);

/// The smallest free slot that holds the job and that some idle synth-worker has attached, and after those an
/// uploaded one whose bytes nobody needs; kMaxSlots: none. `reserve` keeps one such slot back.
[[nodiscard]] SlotId pick_slot(const LeaseTable& slots, WorkerRegistry& workers, const Wish& wish,
                               bool reserve);

/// True when a slot could take the job, attached by somebody or not.
[[nodiscard]] bool has_usable_slot(const LeaseTable& slots, const Wish& wish);

/// True when some ready gpu-worker, busy or not, has the slot attached.
[[nodiscard]] bool is_attached_by_gpu(const WorkerRegistry& workers, const Slot& slot);

/// The sealed slot to take from a job of lower rank for a critical one: `rank_of_slot` answers 0 for slots
/// that must stay. kMaxSlots: none.
template <class RankOfSlot>
[[nodiscard]] SlotId pick_victim(const LeaseTable& slots, const Wish& wish, RankOfSlot rank_of_slot) {
  SlotId victim = kMaxSlots;
  std::size_t worst = 0;
  for (SlotId id = 0; id < slots.size(); ++id) {
    const Slot& slot = slots.at(id);
    if (slot.word.state == SlotState::kSealed && slot.capacity >= wish.bytes) {
      const std::size_t rank = rank_of_slot(slot);
      if (rank > worst ||
          (rank == worst && rank > 0 && victim != kMaxSlots && slot.job > slots.at(victim).job)) {
        worst = rank;
        victim = id;
      }
    }
  }
  return victim;
}

}  // namespace scheduler

}  // namespace baton
