#pragma once

#include <cstddef>
#include <cstdint>

#include "shared/contract/ledger.hpp"
#include "shared/contract/slot_layout.hpp"

namespace baton {

/// Meaning and encoding of messages; every change moves it.
inline constexpr std::uint32_t kProtocolVersion = 1;
/// Bytes of slots and ledger, and what their states mean; every change moves it.
inline constexpr std::uint32_t kLayoutVersion = 1;

namespace detail {
/// FNV-1a over 64-bit words, byte by byte.
class FingerprintHash {
 public:
  constexpr FingerprintHash& add(std::uint64_t value) noexcept {
    for (int shift = 0; shift < 64; shift += 8) {
      hash_ = (hash_ ^ ((value >> shift) & 0xff)) * 0x100000001b3;
    }
    return *this;
  }
  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

constexpr std::uint64_t compute_fingerprint() noexcept {
  FingerprintHash hash;
  hash.add(kProtocolVersion).add(kLayoutVersion).add(kSlotMagic).add(kLedgerMagic);
  hash.add(sizeof(SlotHeader)).add(offsetof(SlotHeader, capacity)).add(offsetof(SlotHeader, segment_id));
  hash.add(offsetof(SlotHeader, job)).add(offsetof(SlotHeader, input_digest));
  hash.add(offsetof(SlotHeader, circuit_fingerprint)).add(offsetof(SlotHeader, curve));
  hash.add(offsetof(SlotHeader, sections)).add(offsetof(SlotHeader, seal)).add(sizeof(SectionEntry));
  hash.add(sizeof(Ledger)).add(offsetof(Ledger, slots)).add(offsetof(Ledger, workers));
  hash.add(sizeof(SlotEntry)).add(offsetof(SlotEntry, fill_generation)).add(offsetof(SlotEntry, job));
  hash.add(offsetof(SlotEntry, segment_id)).add(offsetof(SlotEntry, input_digest));
  hash.add(sizeof(WorkerEntry)).add(offsetof(WorkerEntry, epoch));
  hash.add(kMaxSlots).add(kMaxWorkers).add(kSlotStateCount).add(kSlotEventCount).add(kSlotScalarBytes);
  const SlotLayout sample = compute_slot_layout({70000, 3, 1u << 16, true});
  for (const SlotLayout::Range& range : sample.sections) {
    hash.add(range.offset).add(range.bytes);
  }
  return hash.value();
}
}  // namespace detail

/// Equal in two programs exactly when they agree about every shared byte; in HELLO and in every header.
inline constexpr std::uint64_t kBuildFingerprint = detail::compute_fingerprint();

}  // namespace baton
