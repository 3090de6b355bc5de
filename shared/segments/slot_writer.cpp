#include "shared/segments/slot_writer.hpp"

#include <atomic>
#include <string>

#include "shared/contract/ledger.hpp"
#include "shared/support/check.hpp"

namespace baton {

Result<SlotWriter> SlotWriter::begin(std::span<std::byte> segment, const SlotIdentity& identity,
                                     const FillDescription& fill) {
  BATON_CHECK(segment.size() >= kPageBytes && fill.generation != 0);
  BATON_RETURN_IF_ERROR(check_slot_identity(slot_header(segment), identity));
  if (!is_valid(fill.shape)) {
    return internal_error("slot " + std::to_string(identity.slot) + ": not a circuit's shape");
  }
  SlotWriter writer(segment, fill);
  if (writer.layout_.total_bytes > segment.size()) {
    return Status(StatusCode::kNoSpace, "slot " + std::to_string(identity.slot) + ": needs " +
                                            std::to_string(writer.layout_.total_bytes) + " bytes, has " +
                                            std::to_string(segment.size()));
  }
  store_release(writer.header().seal, std::uint64_t{0});
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return writer;
}

SlotWriter::SlotWriter(std::span<std::byte> segment, const FillDescription& fill) noexcept
    : segment_(segment), fill_(fill), layout_(compute_slot_layout(fill.shape)) {}

SlotHeader& SlotWriter::header() const noexcept {
  return *reinterpret_cast<SlotHeader*>(segment_.data());
}

std::span<std::byte> SlotWriter::section(SlotSection section) const noexcept {
  const SlotLayout::Range& range = layout_.at(section);
  return segment_.subspan(range.offset, range.bytes);
}

void SlotWriter::set_checksum(SlotSection section, std::uint64_t checksum) noexcept {
  checksums_[static_cast<std::size_t>(section)] = checksum;
}

void SlotWriter::seal(const Digest& input_digest) noexcept {
  SlotHeader& out = header();
  out.job = fill_.job;
  out.input_digest = input_digest;
  out.circuit_fingerprint = fill_.circuit_fingerprint;
  out.curve = fill_.curve;
  out.n_vars = fill_.shape.n_vars;
  out.n_public = fill_.shape.n_public;
  out.domain_size = fill_.shape.domain_size;
  out.flags = fill_.shape.has_c ? 0 : kFlagDerivedC;
  out.section_count = kSectionCount;
  for (std::size_t i = 0; i < kSectionCount; ++i) {
    out.sections[i] = {layout_.sections[i].offset, layout_.sections[i].bytes, checksums_[i]};
  }
  store_release(out.seal, fill_.generation);
}

}  // namespace baton
