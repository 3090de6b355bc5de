#include "coordinator/sqlite_database.hpp"

#include <fcntl.h>
#include <sqlite3.h>

#include "shared/support/concat.hpp"
#include "shared/support/posix.hpp"

namespace baton {

namespace {

Status sqlite_status(sqlite3* database) {
  const int code = sqlite3_errcode(database);
  const StatusCode status = code == SQLITE_FULL                                  ? StatusCode::kNoSpace
                            : code == SQLITE_BUSY                                ? StatusCode::kBusy
                            : code == SQLITE_CORRUPT || code == SQLITE_NOTADB    ? StatusCode::kCorrupt
                            : code == SQLITE_READONLY || code == SQLITE_CANTOPEN ? StatusCode::kPermission
                                                                                 : StatusCode::kInternal;
  return {status, concat("journal: ", std::string_view(sqlite3_errmsg(database)))};
}

}  // namespace

void SqliteStatement::Finalize::operator()(sqlite3_stmt* statement) const noexcept {
  sqlite3_finalize(statement);
}

SqliteStatement& SqliteStatement::bind(int index, std::int64_t value) noexcept {
  sqlite3_bind_int64(statement_.get(), index, value);
  return *this;
}

SqliteStatement& SqliteStatement::bind_blob(int index, std::string_view value) noexcept {
  sqlite3_bind_blob64(statement_.get(), index, value.data() == nullptr ? "" : value.data(), value.size(),
                      SQLITE_TRANSIENT);
  return *this;
}

SqliteStatement& SqliteStatement::bind_null(int index) noexcept {
  sqlite3_bind_null(statement_.get(), index);
  return *this;
}

Result<bool> SqliteStatement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) {
    return true;
  }
  if (code == SQLITE_DONE) {
    reset();
    return false;
  }
  Status status = sqlite_status(sqlite3_db_handle(statement_.get()));
  reset();
  return status;
}

Status SqliteStatement::run() {
  const Result<bool> row = step();
  return row.is_ok() ? Status::ok() : row.status();
}

void SqliteStatement::reset() noexcept {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

std::int64_t SqliteStatement::integer(int column) const noexcept {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string SqliteStatement::blob(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return bytes == nullptr ? std::string() : std::string(bytes, size);
}

void SqliteDatabase::Close::operator()(sqlite3* database) const noexcept {
  sqlite3_close_v2(database);
}

Result<SqliteDatabase> SqliteDatabase::open(const std::string& path) {
  // SQLite would create it with the umask's mode.
  BATON_ASSIGN_OR_RETURN(const UniqueFd file, open_file(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0600));
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  SqliteDatabase database(handle);
  if (code != SQLITE_OK) {
    return sqlite_status(handle).with_context(path);
  }
  sqlite3_busy_timeout(handle, 2000);
  return database;
}

Status SqliteDatabase::execute(const char* sql) {
  if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    return sqlite_status(database_.get());
  }
  return Status::ok();
}

Result<SqliteStatement> SqliteDatabase::prepare(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v3(database_.get(), sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) !=
      SQLITE_OK) {
    return sqlite_status(database_.get());
  }
  return SqliteStatement(statement);
}

int SqliteDatabase::changes() const noexcept {
  return sqlite3_changes(database_.get());
}

bool SqliteDatabase::in_transaction() const noexcept {
  return sqlite3_get_autocommit(database_.get()) == 0;
}

}  // namespace baton
