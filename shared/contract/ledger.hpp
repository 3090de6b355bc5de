#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "shared/contract/lease.hpp"
#include "shared/contract/slot_layout.hpp"

namespace baton {

/// "BTNLEDG1" as little-endian bytes.
inline constexpr std::uint64_t kLedgerMagic = 0x314744454C4E5442;

/// Who may touch one slot. Packed into one 64-bit word so that it changes in a single store.
struct LedgerWord {
  SlotState state = SlotState::kAbsent;
  Epoch owner = 0;  ///< the worker named by the last grant; 0 where the state names nobody
  Generation generation = 0;
  friend bool operator==(const LedgerWord&, const LedgerWord&) = default;
};

/// state in bits 56-63, owner in 40-55, generation in 0-39.
[[nodiscard]] constexpr std::uint64_t pack(const LedgerWord& word) noexcept {
  return (std::uint64_t{static_cast<std::uint8_t>(word.state)} << 56) | (std::uint64_t{word.owner} << 40) |
         (word.generation & kMaxGeneration);
}
[[nodiscard]] constexpr LedgerWord unpack(std::uint64_t bits) noexcept {
  return {static_cast<SlotState>(bits >> 56), static_cast<Epoch>(bits >> 40), bits & kMaxGeneration};
}

/// First page of the ledger segment. Written before it is published, but for `incarnation`.
struct LedgerHeader {
  std::uint64_t magic;
  std::uint32_t layout_version;
  std::uint32_t protocol_version;
  std::uint64_t build_fingerprint;
  std::uint64_t session;
  std::uint8_t boot_id[16];
  std::uint32_t slot_count;    ///< kMaxSlots
  std::uint32_t worker_count;  ///< kMaxWorkers
  std::uint32_t incarnation;
  std::uint32_t coordinator_pid;
  std::uint64_t coordinator_start_time;
  std::uint8_t reserved[kPageBytes - 72];
};
static_assert(sizeof(LedgerHeader) == kPageBytes && std::is_trivially_copyable_v<LedgerHeader>);
static_assert(offsetof(LedgerHeader, magic) == 0);
static_assert(offsetof(LedgerHeader, layout_version) == 8);
static_assert(offsetof(LedgerHeader, protocol_version) == 12);
static_assert(offsetof(LedgerHeader, build_fingerprint) == 16);
static_assert(offsetof(LedgerHeader, session) == 24);
static_assert(offsetof(LedgerHeader, boot_id) == 32);
static_assert(offsetof(LedgerHeader, slot_count) == 48);
static_assert(offsetof(LedgerHeader, worker_count) == 52);
static_assert(offsetof(LedgerHeader, incarnation) == 56);
static_assert(offsetof(LedgerHeader, coordinator_pid) == 60);
static_assert(offsetof(LedgerHeader, coordinator_start_time) == 64);

/// One slot, one cache line. The word is stored last (release); a reader loads it (acquire) before and after
/// the other fields and believes them only when both loads agree.
struct alignas(64) SlotEntry {
  std::uint64_t word;             ///< pack(LedgerWord)
  std::uint64_t fill_generation;  ///< of the last fill whose bytes are whole or being written; 0 = none
  std::uint64_t job;              ///< the attempt that holds or last held the slot
  std::uint32_t attempt_number;
  std::uint16_t attempt_epoch;
  std::uint16_t reserved;
  std::uint32_t segment_id;
  std::uint32_t circuit;
  std::uint64_t capacity;
  std::uint8_t input_digest[16];
};
static_assert(sizeof(SlotEntry) == 64 && std::is_trivially_copyable_v<SlotEntry>);
static_assert(offsetof(SlotEntry, word) == 0);
static_assert(offsetof(SlotEntry, fill_generation) == 8);
static_assert(offsetof(SlotEntry, job) == 16);
static_assert(offsetof(SlotEntry, attempt_number) == 24);
static_assert(offsetof(SlotEntry, attempt_epoch) == 28);
static_assert(offsetof(SlotEntry, segment_id) == 32);
static_assert(offsetof(SlotEntry, circuit) == 36);
static_assert(offsetof(SlotEntry, capacity) == 40);
static_assert(offsetof(SlotEntry, input_digest) == 48);

/// One living worker, so that a new coordinator knows whom to wait for. `epoch` is stored last; 0 = unused.
struct alignas(64) WorkerEntry {
  std::uint64_t nonce;
  std::uint64_t start_time;  ///< clock ticks since boot, field 22 of /proc/PID/stat
  std::uint32_t pid;
  std::uint8_t role;  ///< WorkerRole
  std::uint8_t reserved0;
  std::uint16_t epoch;
  std::uint8_t reserved1[40];
};
static_assert(sizeof(WorkerEntry) == 64 && std::is_trivially_copyable_v<WorkerEntry>);
static_assert(offsetof(WorkerEntry, nonce) == 0);
static_assert(offsetof(WorkerEntry, start_time) == 8);
static_assert(offsetof(WorkerEntry, pid) == 16);
static_assert(offsetof(WorkerEntry, role) == 20);
static_assert(offsetof(WorkerEntry, epoch) == 22);

/// The whole segment. Only the coordinator maps it writable.
struct Ledger {
  LedgerHeader header;
  SlotEntry slots[kMaxSlots];
  WorkerEntry workers[kMaxWorkers];
};
static_assert(std::is_trivially_copyable_v<Ledger> && std::is_standard_layout_v<Ledger>);
static_assert(offsetof(Ledger, slots) == kPageBytes);
static_assert(offsetof(Ledger, workers) == kPageBytes + std::size_t{kMaxSlots} * 64);
static_assert(sizeof(Ledger) == 86016 && sizeof(Ledger) % kPageBytes == 0);

/// Loads and stores of words that another process reads or writes at the same time.
template <class T>
[[nodiscard]] T load_acquire(const T& word) noexcept {
  static_assert(std::is_integral_v<T>);
  return __atomic_load_n(&word, __ATOMIC_ACQUIRE);
}
template <class T>
void store_release(T& word, T value) noexcept {
  static_assert(std::is_integral_v<T>);
  __atomic_store_n(&word, value, __ATOMIC_RELEASE);
}

}  // namespace baton
