#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "shared/segments/slot_segment.hpp"

namespace baton {

/// What a fill says about itself in the slot's header.
struct FillDescription {
  Generation generation = 0;  ///< of the lease to fill; becomes the seal
  JobId job = 0;
  Digest circuit_fingerprint{};
  std::uint32_t curve = 0;
  CircuitShape shape;
};

/// The writing end of one fill. The caller holds the lease: nobody else touches the slot. A writer that is
/// destroyed, or whose process dies, before `seal` leaves a slot that no reader accepts.
class SlotWriter {
 public:
  /// Clears the seal before anything else is written. kCorrupt when the header is not this slot's, kNoSpace
  /// when the circuit does not fit.
  static Result<SlotWriter> begin(std::span<std::byte> segment, const SlotIdentity& identity,
                                  const FillDescription& fill);

  /// The bytes of a section: w canonical, a, b, c Montgomery. Empty for c when it is derived.
  [[nodiscard]] std::span<std::byte> section(SlotSection section) const noexcept;

  /// XXH3-64 of the section's final bytes; needed for every section that is not empty.
  void set_checksum(SlotSection section, std::uint64_t checksum) noexcept;

  /// Writes the rest of the header and, last, the seal. Call it once, when every byte is written.
  void seal(const Digest& input_digest) noexcept;

 private:
  SlotWriter(std::span<std::byte> segment, const FillDescription& fill) noexcept;
  [[nodiscard]] SlotHeader& header() const noexcept;

  std::span<std::byte> segment_;
  FillDescription fill_;
  SlotLayout layout_;
  std::array<std::uint64_t, kSectionCount> checksums_{};
};

}  // namespace baton
