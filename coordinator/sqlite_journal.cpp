#include "coordinator/sqlite_journal.hpp"

#include <algorithm>

#include "shared/support/clock.hpp"
#include "shared/support/concat.hpp"
#include "shared/support/fault_point.hpp"

namespace baton {

namespace {

constexpr std::uint32_t kPruneEvery = 1000;
constexpr Milliseconds kRetryAfter{1000};

constexpr const char* kSchema = R"(
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 1000;
  CREATE TABLE IF NOT EXISTS meta (
    one INTEGER PRIMARY KEY CHECK (one = 1), schema INTEGER NOT NULL,
    session INTEGER NOT NULL, boot_id BLOB NOT NULL, incarnation INTEGER NOT NULL);
  INSERT OR IGNORE INTO meta VALUES (1, 1, 0, x'', 0);
  CREATE TABLE IF NOT EXISTS jobs (
    id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, payload BLOB NOT NULL, submit BLOB,
    accepted_ms INTEGER NOT NULL, ended_ms INTEGER, state INTEGER NOT NULL DEFAULT 1,
    attempt INTEGER NOT NULL DEFAULT 0, epoch INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0, strikes INTEGER NOT NULL DEFAULT 0, reply BLOB);
  CREATE INDEX IF NOT EXISTS open_jobs ON jobs (id) WHERE ended_ms IS NULL;
  CREATE TABLE IF NOT EXISTS circuits (id INTEGER PRIMARY KEY, name BLOB NOT NULL, entry BLOB NOT NULL);
)";

constexpr const char* kRow =
    "SELECT id, key, payload, submit, accepted_ms, ended_ms IS NOT NULL, attempt, epoch, failures, strikes, "
    "reply "
    "FROM jobs WHERE ";

JobRow row_of(const SqliteStatement& statement) {
  JobRow row;
  row.id = static_cast<JobId>(statement.integer(0));
  row.key = statement.blob(1);
  row.payload = statement.blob(2);
  row.submit.ParseFromString(statement.blob(3));
  row.accepted_ms = statement.integer(4);
  row.ended = statement.integer(5) != 0;
  row.attempt = {row.id, static_cast<std::uint32_t>(statement.integer(6)),
                 static_cast<Epoch>(statement.integer(7))};
  row.failures = static_cast<std::uint32_t>(statement.integer(8));
  row.strikes = static_cast<std::uint32_t>(statement.integer(9));
  row.reply.ParseFromString(statement.blob(10));
  return row;
}

bool is_waited_for(const JournalRecord& record) {
  return std::holds_alternative<AcceptJob>(record) || std::holds_alternative<EndJob>(record);
}

}  // namespace

Result<std::unique_ptr<SqliteJournal>> SqliteJournal::open(const std::string& path, JobId keep_ended) {
  BATON_ASSIGN_OR_RETURN(SqliteDatabase database, SqliteDatabase::open(path));
  BATON_RETURN_IF_ERROR(database.execute(kSchema).with_context(path));
  BATON_ASSIGN_OR_RETURN(Statements statements, prepare_all(database));
  BATON_ASSIGN_OR_RETURN(EventFd event, EventFd::create());
  return std::unique_ptr<SqliteJournal>(
      new SqliteJournal(std::move(database), std::move(statements), std::move(event), keep_ended));
}

SqliteJournal::SqliteJournal(SqliteDatabase database, Statements statements, EventFd event, JobId keep_ended)
    : database_(std::move(database)),
      statements_(std::move(statements)),
      event_(std::move(event)),
      keep_ended_(keep_ended) {}

SqliteJournal::~SqliteJournal() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
}

Result<SqliteJournal::Statements> SqliteJournal::prepare_all(SqliteDatabase& database) {
  BATON_ASSIGN_OR_RETURN(
      SqliteStatement accept,
      database.prepare("INSERT OR IGNORE INTO jobs (id, key, payload, submit, accepted_ms) "
                       "VALUES (?1, ?2, ?3, ?4, ?5)"));
  BATON_ASSIGN_OR_RETURN(
      SqliteStatement attempt,
      database.prepare("UPDATE jobs SET attempt = ?2, epoch = ?3, failures = ?4, strikes = ?5 "
                       "WHERE id = ?1 AND ended_ms IS NULL"));
  BATON_ASSIGN_OR_RETURN(
      SqliteStatement end,
      database.prepare("UPDATE jobs SET ended_ms = ?2, state = ?3, reply = ?4, submit = NULL "
                       "WHERE id = ?1 AND ended_ms IS NULL"));
  BATON_ASSIGN_OR_RETURN(SqliteStatement by_id, database.prepare(concat(kRow, "id = ?1").c_str()));
  BATON_ASSIGN_OR_RETURN(SqliteStatement by_key, database.prepare(concat(kRow, "key = ?1").c_str()));
  BATON_ASSIGN_OR_RETURN(
      SqliteStatement put_circuit,
      database.prepare("INSERT OR REPLACE INTO circuits (id, name, entry) VALUES (?1, ?2, ?3)"));
  BATON_ASSIGN_OR_RETURN(SqliteStatement drop_circuit,
                         database.prepare("DELETE FROM circuits WHERE id = ?1"));
  BATON_ASSIGN_OR_RETURN(SqliteStatement prune,
                         database.prepare("DELETE FROM jobs WHERE ended_ms IS NOT NULL AND id <= "
                                          "(SELECT max(id) FROM jobs) - ?1"));
  return Statements{std::move(accept), std::move(attempt),     std::move(end),          std::move(by_id),
                    std::move(by_key), std::move(put_circuit), std::move(drop_circuit), std::move(prune)};
}

Result<JournalImage> SqliteJournal::load() {
  JournalImage image;
  BATON_ASSIGN_OR_RETURN(
      SqliteStatement meta,
      database_.prepare(
          "SELECT session, boot_id, incarnation, (SELECT ifnull(max(id), 0) FROM jobs) FROM meta"));
  BATON_ASSIGN_OR_RETURN(const bool has_meta, meta.step());
  if (has_meta) {
    image.session = static_cast<SessionId>(meta.integer(0));
    image.boot_id = meta.blob(1);
    image.incarnation = static_cast<Incarnation>(meta.integer(2));
    image.last_job = static_cast<JobId>(meta.integer(3));
  }
  BATON_ASSIGN_OR_RETURN(SqliteStatement open,
                         database_.prepare(concat(kRow, "ended_ms IS NULL ORDER BY id").c_str()));
  for (;;) {
    BATON_ASSIGN_OR_RETURN(const bool more, open.step());
    if (!more) {
      break;
    }
    image.open_jobs.push_back(row_of(open));
  }
  BATON_ASSIGN_OR_RETURN(SqliteStatement circuits,
                         database_.prepare("SELECT id, entry FROM circuits ORDER BY id"));
  for (;;) {
    BATON_ASSIGN_OR_RETURN(const bool more, circuits.step());
    if (!more) {
      break;
    }
    CircuitRow row;
    row.id = static_cast<CircuitId>(circuits.integer(0));
    if (row.entry.ParseFromString(circuits.blob(1))) {
      image.circuits.push_back(std::move(row));
    }
  }
  thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
  return image;
}

Status SqliteJournal::begin_session(SessionId session, const std::string& boot_id, Incarnation incarnation) {
  flush();
  const std::lock_guard lock(mutex_);  // the thread is idle and stays so
  BATON_ASSIGN_OR_RETURN(SqliteStatement meta,
                         database_.prepare("UPDATE meta SET session = ?1, boot_id = ?2, incarnation = ?3"));
  return meta.bind(1, static_cast<std::int64_t>(session)).bind_blob(2, boot_id).bind(3, incarnation).run();
}

void SqliteJournal::post(JournalRecord record) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(record));
  }
  changed_.notify_all();
}

std::vector<JournalReply> SqliteJournal::take_replies() {
  event_.drain();
  const std::lock_guard lock(mutex_);
  return std::exchange(replies_, {});
}

void SqliteJournal::flush() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return queue_.empty() && !busy_; });
}

void SqliteJournal::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  bool failing = false;
  for (;;) {
    if (!changed_.wait(lock, stop, [this] { return !queue_.empty(); })) {
      return;  // asked to stop, with everything written
    }
    std::vector<JournalRecord> batch = std::exchange(queue_, {});
    busy_ = true;
    lock.unlock();
    Replies replies;
    const Status status = write_batch(batch, replies);
    lock.lock();
    busy_ = false;
    if (status.is_ok()) {
      if (std::exchange(failing, false)) {
        replies_.emplace_back(JournalFailed{Status::ok()});
      }
      std::move(replies.begin(), replies.end(), std::back_inserter(replies_));
    } else {
      batch.insert(batch.end(), std::make_move_iterator(queue_.begin()),
                   std::make_move_iterator(queue_.end()));
      queue_ = std::move(batch);
      if (!std::exchange(failing, true)) {
        replies_.emplace_back(JournalFailed{status});
      }
    }
    event_.signal();
    changed_.notify_all();
    if (failing && changed_.wait_for(lock, stop, kRetryAfter, [] { return false; }) == false &&
        stop.stop_requested()) {
      return;
    }
  }
}

/// All of the batch or nothing.
Status SqliteJournal::write_batch(const std::vector<JournalRecord>& batch, Replies& replies) {
  BATON_RETURN_IF_ERROR(fault_status("journal.write"));
  const bool durable = std::any_of(batch.begin(), batch.end(), is_waited_for);
  BATON_RETURN_IF_ERROR(
      database_.execute(durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL"));
  BATON_RETURN_IF_ERROR(database_.execute("BEGIN IMMEDIATE"));
  Status status;
  for (const JournalRecord& record : batch) {
    status = std::visit([&](const auto& r) { return write(r, replies); }, record);
    if (!status.is_ok()) {
      break;
    }
  }
  if (status.is_ok()) {
    status = database_.execute("COMMIT");
  }
  if (!status.is_ok() && database_.in_transaction()) {
    if (const Status rollback = database_.execute("ROLLBACK"); !rollback.is_ok()) {
      return rollback;
    }
  }
  fault_point("journal.committed");
  return status;
}

Status SqliteJournal::write(const AcceptJob& record, Replies& replies) {
  const JobRow& row = record.row;
  BATON_RETURN_IF_ERROR(statements_.accept.bind(1, static_cast<std::int64_t>(row.id))
                            .bind_blob(2, row.key)
                            .bind_blob(3, row.payload)
                            .bind_blob(4, row.submit.SerializeAsString())
                            .bind(5, unix_milliseconds())
                            .run());
  if (database_.changes() != 0) {
    replies.emplace_back(Committed{record.ticket});
    return Status::ok();
  }
  statements_.by_key.bind_blob(1, row.key);
  BATON_ASSIGN_OR_RETURN(std::optional<JobRow> existing, read_row(statements_.by_key));
  if (!existing) {
    return internal_error(concat("journal: job ", row.id, " exists under another key"));
  }
  replies.emplace_back(Existing{record.ticket, std::move(*existing)});
  return Status::ok();
}

Status SqliteJournal::write(const NoteAttempt& record, Replies&) {
  return statements_.attempt.bind(1, static_cast<std::int64_t>(record.attempt.job))
      .bind(2, record.attempt.number)
      .bind(3, record.attempt.epoch)
      .bind(4, record.failures)
      .bind(5, record.strikes)
      .run();
}

Status SqliteJournal::write(const EndJob& record, Replies& replies) {
  BATON_RETURN_IF_ERROR(statements_.end.bind(1, static_cast<std::int64_t>(record.reply.job()))
                            .bind(2, unix_milliseconds())
                            .bind(3, record.reply.state())
                            .bind_blob(4, record.reply.SerializeAsString())
                            .run());
  replies.emplace_back(Committed{record.ticket});
  if (++ends_since_prune_ >= kPruneEvery) {
    ends_since_prune_ = 0;
    return statements_.prune.bind(1, static_cast<std::int64_t>(keep_ended_)).run();
  }
  return Status::ok();
}

Status SqliteJournal::write(const PutCircuit& record, Replies&) {
  return statements_.put_circuit.bind(1, record.row.id)
      .bind_blob(2, record.row.entry.name())
      .bind_blob(3, record.row.entry.SerializeAsString())
      .run();
}

Status SqliteJournal::write(const DropCircuit& record, Replies&) {
  return statements_.drop_circuit.bind(1, record.id).run();
}

Status SqliteJournal::write(const FindJob& record, Replies& replies) {
  SqliteStatement& statement = record.id != 0 ? statements_.by_id : statements_.by_key;
  if (record.id != 0) {
    statement.bind(1, static_cast<std::int64_t>(record.id));
  } else {
    statement.bind_blob(1, record.key);
  }
  BATON_ASSIGN_OR_RETURN(std::optional<JobRow> row, read_row(statement));
  replies.emplace_back(Found{record.ticket, std::move(row)});
  return Status::ok();
}

Result<std::optional<JobRow>> SqliteJournal::read_row(SqliteStatement& statement) {
  BATON_ASSIGN_OR_RETURN(const bool found, statement.step());
  if (!found) {
    return std::optional<JobRow>();
  }
  std::optional<JobRow> row = row_of(statement);
  statement.reset();
  return row;
}

}  // namespace baton
