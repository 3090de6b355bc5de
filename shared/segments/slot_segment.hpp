#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "shared/contract/lease.hpp"
#include "shared/contract/slot_layout.hpp"
#include "shared/segments/segment.hpp"
#include "shared/support/hash.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// What the coordinator wrote into a slot's header before it published the segment.
struct SlotIdentity {
  SessionId session = 0;
  SlotId slot = 0;
  SegmentId segment = 0;
  std::uint64_t capacity = 0;  ///< bytes of the whole segment
  friend bool operator==(const SlotIdentity&, const SlotIdentity&) = default;
};

/// Creates and publishes the segment of a slot; its seal is zero.
Result<Segment> create_slot_segment(const std::string& directory, const SlotIdentity& identity,
                                    unsigned threads);

/// Opens the segment and checks that its header is this slot's.
Result<Segment> open_slot_segment(const std::string& directory, const SlotIdentity& identity,
                                  MappingAccess access);

/// The header of a slot's segment, which must be a page long at least.
[[nodiscard]] const SlotHeader& slot_header(std::span<const std::byte> segment) noexcept;

/// kVersionMismatch when another build laid the header out, kCorrupt when it is not this slot's.
Status check_slot_identity(const SlotHeader& header, const SlotIdentity& identity);

/// The bytes of a digest as headers and messages carry them: low half first, little-endian.
[[nodiscard]] Digest to_digest(const Digest128& hash) noexcept;
[[nodiscard]] Digest128 from_digest(const Digest& digest) noexcept;

}  // namespace baton
