#include "shared/segments/slot_reader.hpp"

#include <array>
#include <cstring>
#include <string>

#include "shared/contract/ledger.hpp"
#include "shared/support/check.hpp"

namespace baton {

namespace {

constexpr std::array<std::string_view, kSectionCount> kSectionNames = {"w", "a", "b", "c"};

Status corrupt(const SlotIdentity& identity, const std::string& what) {
  return {StatusCode::kCorrupt, "slot " + std::to_string(identity.slot) + ": " + what};
}

Status check_grant(const SlotHeader& header, const SlotIdentity& identity, const ProveExpectation& expected) {
  if (header.job != expected.job) {
    return corrupt(identity,
                   "holds job " + std::to_string(header.job) + ", expected " + std::to_string(expected.job));
  }
  if (header.input_digest != expected.input_digest) {
    return corrupt(identity, "the input digest is not the grant's");
  }
  if (header.circuit_fingerprint != expected.circuit_fingerprint || header.curve != expected.curve) {
    return corrupt(identity, "the circuit is not the grant's");
  }
  return Status::ok();
}

Status check_sections(const SlotHeader& header, const SlotIdentity& identity, const CircuitShape& shape) {
  if (!is_valid(shape) || header.section_count != kSectionCount || (header.flags & ~kFlagDerivedC) != 0) {
    return corrupt(identity, "the header's counts are not a circuit's");
  }
  const SlotLayout layout = compute_slot_layout(shape);
  if (layout.total_bytes > identity.capacity) {
    return corrupt(identity, "the sections do not fit the segment");
  }
  for (std::size_t i = 0; i < kSectionCount; ++i) {
    if (header.sections[i].offset != layout.sections[i].offset ||
        header.sections[i].bytes != layout.sections[i].bytes) {
      return corrupt(identity, "section " + std::string(kSectionNames[i]) + " is not where it must be");
    }
  }
  return Status::ok();
}

}  // namespace

Result<SlotReader> SlotReader::open(std::span<const std::byte> segment, const SlotIdentity& identity,
                                    const ProveExpectation& expected) {
  BATON_CHECK(segment.size() >= kPageBytes && segment.size() == identity.capacity);
  BATON_RETURN_IF_ERROR(check_slot_identity(slot_header(segment), identity));
  const std::uint64_t seal = load_acquire(slot_header(segment).seal);
  if (expected.fill_generation == 0 || seal != expected.fill_generation) {
    return corrupt(identity, "the seal is " + std::to_string(seal) + ", expected " +
                                 std::to_string(expected.fill_generation));
  }
  SlotHeader header;
  std::memcpy(&header, segment.data(), sizeof header);
  const CircuitShape shape{header.n_vars, header.n_public, header.domain_size,
                           (header.flags & kFlagDerivedC) == 0};
  BATON_RETURN_IF_ERROR(check_grant(header, identity, expected));
  BATON_RETURN_IF_ERROR(check_sections(header, identity, shape));
  return SlotReader(segment, header, shape);
}

SlotReader::SlotReader(std::span<const std::byte> segment, const SlotHeader& header,
                       const CircuitShape& shape) noexcept
    : segment_(segment), header_(header), shape_(shape) {}

std::span<const std::byte> SlotReader::section(SlotSection section) const noexcept {
  const SectionEntry& entry = header_.sections[static_cast<std::size_t>(section)];
  return segment_.subspan(entry.offset, entry.bytes);
}

Status SlotReader::verify_checksums() const {
  for (std::size_t i = 0; i < kSectionCount; ++i) {
    const SectionEntry& entry = header_.sections[i];
    if (entry.bytes != 0 && hash64(segment_.subspan(entry.offset, entry.bytes)) != entry.checksum) {
      return {StatusCode::kCorrupt, "slot " + std::to_string(header_.slot) + ": section " +
                                        std::string(kSectionNames[i]) + " changed after it was sealed"};
    }
  }
  return Status::ok();
}

}  // namespace baton
