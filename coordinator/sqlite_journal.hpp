#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "coordinator/journal.hpp"
#include "coordinator/sqlite_database.hpp"
#include "shared/support/event_fd.hpp"

namespace baton {

/// The journal of a service: one SQLite file in WAL mode. A thread of its own writes whatever has been posted
/// in one transaction (group commit) and syncs when a record of it is waited for. While the file cannot be
/// written, records wait and are tried again every second; JournalFailed says why, and with an ok status that
/// it is over.
class SqliteJournal final : public Journal {
 public:
  /// Ended jobs beyond the newest `keep_ended` are deleted in time.
  static Result<std::unique_ptr<SqliteJournal>> open(const std::string& path, JobId keep_ended);
  ~SqliteJournal() override;

  Result<JournalImage> load() override;
  Status begin_session(SessionId session, const std::string& boot_id, Incarnation incarnation) override;
  void post(JournalRecord record) override;
  [[nodiscard]] std::vector<JournalReply> take_replies() override;
  [[nodiscard]] int fd() const noexcept override { return event_.fd(); }
  void flush() override;

 private:
  struct Statements {
    SqliteStatement accept;
    SqliteStatement attempt;
    SqliteStatement end;
    SqliteStatement by_id;
    SqliteStatement by_key;
    SqliteStatement put_circuit;
    SqliteStatement drop_circuit;
    SqliteStatement prune;
  };
  using Replies = std::vector<JournalReply>;

  SqliteJournal(SqliteDatabase database, Statements statements, EventFd event, JobId keep_ended);
  static Result<Statements> prepare_all(SqliteDatabase& database);

  void work(const std::stop_token& stop);
  Status write_batch(const std::vector<JournalRecord>& batch, Replies& replies);
  Status write(const AcceptJob& record, Replies& replies);
  Status write(const NoteAttempt& record, Replies& replies);
  Status write(const EndJob& record, Replies& replies);
  Status write(const PutCircuit& record, Replies& replies);
  Status write(const DropCircuit& record, Replies& replies);
  Status write(const FindJob& record, Replies& replies);
  Result<std::optional<JobRow>> read_row(SqliteStatement& statement);

  SqliteDatabase database_;
  Statements statements_;
  EventFd event_;
  JobId keep_ended_;
  std::uint32_t ends_since_prune_ = 0;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<JournalRecord> queue_;
  Replies replies_;
  bool busy_ = false;
  std::jthread thread_;  ///< last: it uses all the others
};

}  // namespace baton
