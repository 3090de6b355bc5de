#include "shared/contract/lease.hpp"

namespace baton {

namespace {

constexpr std::array<std::string_view, kSlotStateCount> kStateNames = {
    "absent",   "free",        "filling",      "sealed",     "proving",
    "uploaded", "doomed-fill", "doomed-prove", "quarantined"};
constexpr std::array<std::string_view, kSlotEventCount> kEventNames = {
    "published", "grant-fill", "filled",       "fill-failed", "grant-prove",
    "uploaded",  "proved",     "prove-failed", "corrupt",     "owner-dead",
    "deadline",  "cancelled",  "wanted",       "retired",     "released"};

/// One legal cell; all others are "ignored and counted".
struct Row {
  SlotState from;
  SlotEvent event;
  SlotState to;
  bool moves_generation;
  OwnerChange owner;
};

constexpr auto kKeep = OwnerChange::kKeep;
constexpr auto kTake = OwnerChange::kTake;
constexpr auto kClear = OwnerChange::kClear;

using S = SlotState;
using E = SlotEvent;

constexpr std::array kRows = {
    Row{S::kAbsent, E::kPublished, S::kFree, true, kClear},
    Row{S::kFree, E::kGrantFill, S::kFilling, true, kTake},
    Row{S::kFree, E::kRetired, S::kQuarantined, true, kClear},
    Row{S::kFilling, E::kFilled, S::kSealed, false, kClear},
    Row{S::kFilling, E::kFillFailed, S::kFree, true, kClear},
    Row{S::kFilling, E::kOwnerDead, S::kFree, true, kClear},
    Row{S::kFilling, E::kCancelled, S::kFilling, false, kKeep},
    Row{S::kFilling, E::kDeadline, S::kDoomedFill, false, kKeep},
    Row{S::kSealed, E::kGrantProve, S::kProving, true, kTake},
    Row{S::kSealed, E::kCancelled, S::kFree, true, kClear},
    Row{S::kSealed, E::kWanted, S::kFree, true, kClear},
    Row{S::kProving, E::kUploaded, S::kUploaded, false, kKeep},
    Row{S::kProving, E::kProved, S::kFree, true, kClear},
    Row{S::kProving, E::kProveFailed, S::kSealed, true, kClear},
    Row{S::kProving, E::kCorrupt, S::kQuarantined, true, kClear},
    Row{S::kProving, E::kOwnerDead, S::kSealed, true, kClear},
    Row{S::kProving, E::kCancelled, S::kProving, false, kKeep},
    Row{S::kProving, E::kDeadline, S::kDoomedProve, false, kKeep},
    Row{S::kUploaded, E::kProved, S::kFree, true, kClear},
    Row{S::kUploaded, E::kProveFailed, S::kSealed, true, kClear},
    Row{S::kUploaded, E::kCorrupt, S::kQuarantined, true, kClear},
    Row{S::kUploaded, E::kOwnerDead, S::kSealed, true, kClear},
    Row{S::kUploaded, E::kCancelled, S::kFree, true, kClear},
    Row{S::kUploaded, E::kWanted, S::kFree, true, kClear},
    Row{S::kDoomedFill, E::kOwnerDead, S::kFree, true, kClear},
    Row{S::kDoomedProve, E::kOwnerDead, S::kSealed, true, kClear},
    Row{S::kQuarantined, E::kReleased, S::kAbsent, true, kClear},
};

constexpr TransitionTable make_table() {
  TransitionTable table{};
  for (std::size_t state = 0; state < kSlotStateCount; ++state) {
    for (Transition& cell : table[state]) {
      cell.next = static_cast<SlotState>(state);
    }
  }
  for (const Row& row : kRows) {
    table[static_cast<std::size_t>(row.from)][static_cast<std::size_t>(row.event)] = {
        true, row.to, row.moves_generation, row.owner};
  }
  return table;
}

constexpr TransitionTable kTable = make_table();

}  // namespace

const TransitionTable& transition_table() noexcept {
  return kTable;
}

const Transition& next_state(SlotState state, SlotEvent event) noexcept {
  return kTable[static_cast<std::size_t>(state)][static_cast<std::size_t>(event)];
}

std::string_view to_string(SlotState state) noexcept {
  const auto index = static_cast<std::size_t>(state);
  return index < kStateNames.size() ? kStateNames[index] : "unknown";
}

std::string_view to_string(SlotEvent event) noexcept {
  const auto index = static_cast<std::size_t>(event);
  return index < kEventNames.size() ? kEventNames[index] : "unknown";
}

std::string_view to_string(WorkerRole role) noexcept {
  return role == WorkerRole::kSynth ? "synth" : role == WorkerRole::kGpu ? "gpu" : "unknown";
}

std::string to_string(const Lease& lease) {
  return std::to_string(lease.slot) + "." + std::to_string(lease.generation);
}

std::string to_string(const Attempt& attempt) {
  const std::string name = is_prepare(attempt) ? "circuit " + std::to_string(circuit_of_prepare(attempt))
                                               : std::to_string(attempt.job);
  return name + "/" + std::to_string(attempt.number) + "@" + std::to_string(attempt.epoch);
}

}  // namespace baton
