#include "shared/segments/slot_segment.hpp"

#include <cstring>

#include "shared/contract/names.hpp"
#include "shared/contract/version.hpp"

namespace baton {

namespace {

SlotHeader fresh_header(const SlotIdentity& identity) {
  SlotHeader header{};
  header.magic = kSlotMagic;
  header.layout_version = kLayoutVersion;
  header.slot = identity.slot;
  header.build_fingerprint = kBuildFingerprint;
  header.session = identity.session;
  header.capacity = identity.capacity;
  header.segment_id = identity.segment;
  return header;
}

Status differs(const SlotIdentity& identity, std::string_view field, std::uint64_t expected,
               std::uint64_t found, StatusCode code = StatusCode::kCorrupt) {
  return {code, "slot " + std::to_string(identity.slot) + ": " + std::string(field) + " is " +
                    std::to_string(found) + ", expected " + std::to_string(expected)};
}

}  // namespace

Result<Segment> create_slot_segment(const std::string& directory, const SlotIdentity& identity,
                                    unsigned threads) {
  return Segment::create(directory, slot_name(identity.session, identity.slot, identity.segment),
                         identity.capacity, threads, [&](std::span<std::byte> bytes) {
                           const SlotHeader header = fresh_header(identity);
                           std::memcpy(bytes.data(), &header, sizeof header);
                         });
}

Result<Segment> open_slot_segment(const std::string& directory, const SlotIdentity& identity,
                                  MappingAccess access) {
  BATON_ASSIGN_OR_RETURN(
      Segment segment, Segment::open(directory, slot_name(identity.session, identity.slot, identity.segment),
                                     identity.capacity, access));
  BATON_RETURN_IF_ERROR(check_slot_identity(slot_header(segment.bytes()), identity));
  return segment;
}

const SlotHeader& slot_header(std::span<const std::byte> segment) noexcept {
  return *reinterpret_cast<const SlotHeader*>(segment.data());
}

Status check_slot_identity(const SlotHeader& header, const SlotIdentity& identity) {
  if (header.magic != kSlotMagic) {
    return differs(identity, "magic", kSlotMagic, header.magic);
  }
  if (header.layout_version != kLayoutVersion) {
    return differs(identity, "layout version", kLayoutVersion, header.layout_version,
                   StatusCode::kVersionMismatch);
  }
  if (header.build_fingerprint != kBuildFingerprint) {
    return differs(identity, "build fingerprint", kBuildFingerprint, header.build_fingerprint,
                   StatusCode::kVersionMismatch);
  }
  if (header.session != identity.session) {
    return differs(identity, "session", identity.session, header.session);
  }
  if (header.slot != identity.slot) {
    return differs(identity, "slot", identity.slot, header.slot);
  }
  if (header.segment_id != identity.segment) {
    return differs(identity, "segment id", identity.segment, header.segment_id);
  }
  if (header.capacity != identity.capacity) {
    return differs(identity, "capacity", identity.capacity, header.capacity);
  }
  return Status::ok();
}

Digest to_digest(const Digest128& hash) noexcept {
  Digest digest{};
  for (std::size_t i = 0; i < 8; ++i) {
    digest[i] = static_cast<std::uint8_t>(hash.low >> (8 * i));
    digest[8 + i] = static_cast<std::uint8_t>(hash.high >> (8 * i));
  }
  return digest;
}

Digest128 from_digest(const Digest& digest) noexcept {
  Digest128 hash;
  for (std::size_t i = 0; i < 8; ++i) {
    hash.low |= std::uint64_t{digest[i]} << (8 * i);
    hash.high |= std::uint64_t{digest[8 + i]} << (8 * i);
  }
  return hash;
}

}  // namespace baton
