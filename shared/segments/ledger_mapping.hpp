#pragma once

#include <string>

#include "shared/contract/ledger.hpp"
#include "shared/segments/segment.hpp"
#include "shared/support/check.hpp"

namespace baton {

/// The ledger segment of a session, mapped. Only the coordinator maps it writable; workers take a second look
/// at it and never wait for it.
class LedgerMapping {
 public:
  /// Publishes a ledger whose header is `header` and whose entries are all zero. The caller fills boot id,
  /// incarnation and its own identity; magic, versions, counts and session are set here.
  static Result<LedgerMapping> create(const std::string& directory, SessionId session, LedgerHeader header);

  /// kVersionMismatch when another build laid it out, kCorrupt when it is not that session's ledger.
  static Result<LedgerMapping> open(const std::string& directory, SessionId session, MappingAccess access);

  [[nodiscard]] const Ledger& view() const noexcept {
    return *reinterpret_cast<const Ledger*>(segment_.bytes().data());
  }
  /// Aborts when mapped read-only.
  [[nodiscard]] Ledger& writable() const noexcept {
    BATON_CHECK(!segment_.writable_bytes().empty());
    return *reinterpret_cast<Ledger*>(segment_.writable_bytes().data());
  }

  /// Removes the ledger's name; mappings stay valid.
  Status remove_name(const std::string& directory) const { return segment_.remove_name(directory); }

 private:
  explicit LedgerMapping(Segment segment) noexcept : segment_(std::move(segment)) {}
  Segment segment_;
};

}  // namespace baton
