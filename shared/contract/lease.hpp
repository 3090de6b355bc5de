#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace baton {

using SessionId = std::uint64_t;    ///< names one pool of slots; never 0
using Incarnation = std::uint32_t;  ///< counts coordinators of a session from 1
using Epoch = std::uint16_t;        ///< one life of a worker process; 0 = nobody
using SlotId = std::uint32_t;
using SegmentId = std::uint32_t;   ///< never reused inside a session; 0 = none
using Generation = std::uint64_t;  ///< 40 bits, moves with every change of the right to touch bytes
using JobId = std::uint64_t;       ///< counted by the journal from 1
using CircuitId = std::uint32_t;   ///< inside one session, from 1

inline constexpr std::uint32_t kMaxSlots = 1024;
inline constexpr std::uint32_t kMaxWorkers = 256;
inline constexpr Generation kMaxGeneration = (Generation{1} << 40) - 1;
inline constexpr JobId kMaxJobId = (JobId{1} << 62) - 1;

/// The right to touch bytes, until the generation moves.
struct Lease {
  SlotId slot = 0;
  Generation generation = 0;
  friend bool operator==(const Lease&, const Lease&) = default;
};

/// The right to deliver a result, until acknowledged, failed, or its worker is dead.
struct Attempt {
  JobId job = 0;
  std::uint32_t number = 0;  ///< from 1, counts every grant of the job
  Epoch epoch = 0;
  friend bool operator==(const Attempt&, const Attempt&) = default;
};

/// A PREPARE's attempt carries the circuit in place of a job.
inline constexpr JobId kPrepareJobBit = JobId{1} << 63;
[[nodiscard]] constexpr JobId prepare_job(CircuitId circuit) noexcept {
  return kPrepareJobBit | circuit;
}
[[nodiscard]] constexpr bool is_prepare(const Attempt& attempt) noexcept {
  return (attempt.job & kPrepareJobBit) != 0;
}
[[nodiscard]] constexpr CircuitId circuit_of_prepare(const Attempt& attempt) noexcept {
  return static_cast<CircuitId>(attempt.job);
}

enum class WorkerRole : std::uint8_t { kSynth = 1, kGpu = 2 };

/// Who may touch the bytes of a slot. Values lie in shared memory: never renumber.
enum class SlotState : std::uint8_t {
  kAbsent = 0,       ///< no segment
  kFree = 1,         ///< nobody
  kFilling = 2,      ///< its synth-worker, writing
  kSealed = 3,       ///< nobody; the bytes are whole
  kProving = 4,      ///< its gpu-worker, reading
  kUploaded = 5,     ///< nobody; the bytes are whole and the proof is under way
  kDoomedFill = 6,   ///< still its synth-worker, to which a kill was sent
  kDoomedProve = 7,  ///< still its gpu-worker, to which a kill was sent
  kQuarantined = 8,  ///< nobody new; waits for every mapping to go
};
inline constexpr std::size_t kSlotStateCount = 9;

enum class SlotEvent : std::uint8_t {
  kPublished = 0,    ///< a segment exists under this slot's name
  kGrantFill = 1,    ///< given to a synth-worker
  kFilled = 2,       ///< that worker sealed it
  kFillFailed = 3,   ///< that worker gave up and will not write again
  kGrantProve = 4,   ///< given to a gpu-worker
  kUploaded = 5,     ///< that worker will not read again
  kProved = 6,       ///< the attempt has delivered; implies kUploaded
  kProveFailed = 7,  ///< transient failure or failed self-check; that worker will not read again
  kCorrupt = 8,      ///< header, seal or checksum wrong
  kOwnerDead = 9,    ///< the kernel says so
  kDeadline = 10,    ///< a kill was sent to the owner
  kCancelled = 11,   ///< the job no longer wants the bytes
  kWanted = 12,      ///< a fill of another job needs the slot
  kRetired = 13,     ///< the pool gives the segment up
  kReleased = 14,    ///< the last holder has detached or is dead
};
inline constexpr std::size_t kSlotEventCount = 15;

enum class OwnerChange : std::uint8_t { kKeep, kTake, kClear };

/// One cell of the table. An illegal event changes nothing and is counted.
struct Transition {
  bool legal = false;
  SlotState next = SlotState::kAbsent;
  bool moves_generation = false;
  OwnerChange owner = OwnerChange::kKeep;
};

using TransitionTable = std::array<std::array<Transition, kSlotEventCount>, kSlotStateCount>;

/// THE table of the hand-over, every state by every event. The coordinator runs it, the model is compared
/// with it.
[[nodiscard]] const TransitionTable& transition_table() noexcept;

/// The cell for `event` in `state`; both must be enumerators.
[[nodiscard]] const Transition& next_state(SlotState state, SlotEvent event) noexcept;

[[nodiscard]] std::string_view to_string(SlotState state) noexcept;
[[nodiscard]] std::string_view to_string(SlotEvent event) noexcept;
[[nodiscard]] std::string_view to_string(WorkerRole role) noexcept;
/// "slot.generation" and "job/number@epoch", as logs show them.
[[nodiscard]] std::string to_string(const Lease& lease);
[[nodiscard]] std::string to_string(const Attempt& attempt);

}  // namespace baton
