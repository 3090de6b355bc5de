#pragma once

#include <cstdint>
#include <span>

#include "shared/segments/slot_segment.hpp"

namespace baton {

/// What a grant to prove says that the slot must hold.
struct ProveExpectation {
  Generation fill_generation = 0;
  JobId job = 0;
  Digest input_digest{};
  Digest circuit_fingerprint{};
  std::uint32_t curve = 0;
};

/// A sealed slot, read under a lease. The header was copied before it was checked; the sections are the
/// shared bytes themselves and stay mapped as long as the segment.
class SlotReader {
 public:
  /// Demands the seal, the job, the digest, the circuit and a section table that is exactly the layout of
  /// the shape in the header. kVersionMismatch for another build's layout, kCorrupt for anything else.
  static Result<SlotReader> open(std::span<const std::byte> segment, const SlotIdentity& identity,
                                 const ProveExpectation& expected);

  [[nodiscard]] const CircuitShape& shape() const noexcept { return shape_; }

  /// w canonical, a, b, c Montgomery. Empty for c when it is derived.
  [[nodiscard]] std::span<const std::byte> section(SlotSection section) const noexcept;

  /// Reads every section; kCorrupt names the first whose bytes are not those that were sealed.
  Status verify_checksums() const;

 private:
  SlotReader(std::span<const std::byte> segment, const SlotHeader& header,
             const CircuitShape& shape) noexcept;

  std::span<const std::byte> segment_;
  SlotHeader header_;
  CircuitShape shape_;
};

}  // namespace baton
