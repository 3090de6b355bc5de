#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "shared/contract/lease.hpp"
#include "shared/contract/ledger.hpp"

namespace baton {

using WorkerSet = std::bitset<kMaxWorkers>;  ///< by index in the ledger's worker table

/// One slot as the coordinator knows it.
struct Slot {
  LedgerWord word;
  SegmentId segment = 0;
  std::uint64_t capacity = 0;
  Generation fill_generation = 0;  ///< of the bytes inside; 0 = nobody's
  Digest input_digest{};
  JobId job = 0;  ///< whose bytes these are; 0 = nobody's
  Attempt attempt;
  CircuitId circuit = 0;
  bool creating = false;  ///< a segment is on its way
  WorkerSet attached;     ///< may be granted to these
  WorkerSet holders;      ///< may still have it mapped

  [[nodiscard]] bool exists() const noexcept { return creating || word.state != SlotState::kAbsent; }
};

/// All slots of a session. Runs the contract's table and nothing else; who may call what when is the brain's.
class LeaseTable {
 public:
  /// Changes the slot as the table says and answers true, or changes nothing and answers false.
  /// `owner` is taken by grants.
  bool apply(SlotId slot, SlotEvent event, Epoch owner = 0);

  [[nodiscard]] Slot& at(SlotId slot) { return slots_[slot]; }
  [[nodiscard]] const Slot& at(SlotId slot) const { return slots_[slot]; }
  [[nodiscard]] SlotId size() const noexcept { return static_cast<SlotId>(slots_.size()); }

  /// True when `lease` is what the ledger says now.
  [[nodiscard]] bool is_current(const Lease& lease) const noexcept;

  /// A number without a segment, for a new one; kMaxSlots when there is none.
  SlotId take_absent();

  /// Bytes of all segments that exist or are being made.
  [[nodiscard]] std::uint64_t memory_used() const noexcept;

  /// The slot as the shared ledger shows it.
  [[nodiscard]] SlotEntry entry(SlotId slot) const noexcept;
  /// Takes over what another coordinator left.
  void adopt(SlotId slot, const SlotEntry& entry);

 private:
  std::vector<Slot> slots_;
};

}  // namespace baton
