#include "shared/segments/ledger_mapping.hpp"

#include <cstring>

#include "shared/contract/names.hpp"
#include "shared/contract/version.hpp"

namespace baton {

namespace {

Status check_header(const LedgerHeader& header, SessionId session, const std::string& name) {
  if (header.magic != kLedgerMagic) {
    return {StatusCode::kCorrupt, name + ": not a ledger"};
  }
  if (header.layout_version != kLayoutVersion || header.build_fingerprint != kBuildFingerprint) {
    return {StatusCode::kVersionMismatch, name + ": layout version " + std::to_string(header.layout_version) +
                                              " of another build, expected " +
                                              std::to_string(kLayoutVersion)};
  }
  if (header.session != session || header.slot_count != kMaxSlots || header.worker_count != kMaxWorkers) {
    return {StatusCode::kCorrupt, name + ": the header is not this session's"};
  }
  return Status::ok();
}

}  // namespace

Result<LedgerMapping> LedgerMapping::create(const std::string& directory, SessionId session,
                                            LedgerHeader header) {
  header.magic = kLedgerMagic;
  header.layout_version = kLayoutVersion;
  header.protocol_version = kProtocolVersion;
  header.build_fingerprint = kBuildFingerprint;
  header.session = session;
  header.slot_count = kMaxSlots;
  header.worker_count = kMaxWorkers;
  BATON_ASSIGN_OR_RETURN(Segment segment, Segment::create(directory, ledger_name(session), sizeof(Ledger), 1,
                                                          [&](std::span<std::byte> bytes) {
                                                            std::memcpy(bytes.data(), &header, sizeof header);
                                                          }));
  return LedgerMapping(std::move(segment));
}

Result<LedgerMapping> LedgerMapping::open(const std::string& directory, SessionId session,
                                          MappingAccess access) {
  BATON_ASSIGN_OR_RETURN(Segment segment,
                         Segment::open(directory, ledger_name(session), sizeof(Ledger), access));
  LedgerMapping mapping(std::move(segment));
  BATON_RETURN_IF_ERROR(check_header(mapping.view().header, session, ledger_name(session)));
  return mapping;
}

}  // namespace baton
