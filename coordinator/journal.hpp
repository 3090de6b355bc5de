#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "shared/contract/lease.hpp"
#include "shared/contract/messages.pb.h"
#include "shared/support/result.hpp"

namespace baton {

/// Counts what is to be known durable; answered in order.
using Ticket = std::uint64_t;

/// What the journal keeps of one job.
struct JobRow {
  JobId id = 0;
  std::string key;
  std::string payload;  ///< digest of what was submitted
  wire::Submit submit;  ///< empty once ended
  std::int64_t accepted_ms = 0;
  Attempt attempt;  ///< the last one granted
  std::uint32_t failures = 0;
  std::uint32_t strikes = 0;
  bool ended = false;
  wire::JobReply reply;  ///< of an ended job
};

struct CircuitRow {
  CircuitId id = 0;
  wire::CircuitEntry entry;
};

/// Durable; answered with Committed, or with Existing when the key is known.
struct AcceptJob {
  Ticket ticket = 0;
  JobRow row;
};
/// Not waited for.
struct NoteAttempt {
  Attempt attempt;
  std::uint32_t failures = 0;
  std::uint32_t strikes = 0;
};
/// Durable; answered with Committed.
struct EndJob {
  Ticket ticket = 0;
  wire::JobReply reply;
};
/// Not waited for.
struct PutCircuit {
  CircuitRow row;
};
struct DropCircuit {
  CircuitId id = 0;
};
/// Answered with Found.
struct FindJob {
  Ticket ticket = 0;
  JobId id = 0;  ///< 0: by key
  std::string key;
};
using JournalRecord = std::variant<AcceptJob, NoteAttempt, EndJob, PutCircuit, DropCircuit, FindJob>;

struct Committed {
  Ticket ticket = 0;
};
/// The key of an AcceptJob belongs to a job that has left memory; nothing was written.
struct Existing {
  Ticket ticket = 0;
  JobRow row;
};
struct Found {
  Ticket ticket = 0;
  std::optional<JobRow> row;
};
/// The journal cannot write (disk full); with an ok status: it can again.
struct JournalFailed {
  Status status;
};
using JournalReply = std::variant<Committed, Existing, Found, JournalFailed>;

/// What a new coordinator finds.
struct JournalImage {
  SessionId session = 0;  ///< 0: none yet
  std::string boot_id;
  Incarnation incarnation = 0;
  JobId last_job = 0;
  std::vector<JobRow> open_jobs;
  std::vector<CircuitRow> circuits;
};

/// Where jobs survive the coordinator. Used by the event loop alone; records take effect in the order of
/// posting and are answered in that order.
class Journal {
 public:
  virtual ~Journal() = default;

  /// Everything that is needed to go on; called once, before anything is posted.
  virtual Result<JournalImage> load() = 0;
  /// Durable when it returns.
  virtual Status begin_session(SessionId session, const std::string& boot_id, Incarnation incarnation) = 0;

  virtual void post(JournalRecord record) = 0;
  [[nodiscard]] virtual std::vector<JournalReply> take_replies() = 0;
  /// Readable while replies wait; -1: they are there at once after `post`.
  [[nodiscard]] virtual int fd() const noexcept = 0;
  /// Waits until everything posted is durable.
  virtual void flush() = 0;
};

}  // namespace baton
