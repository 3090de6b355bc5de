#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "shared/support/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace baton {

/// One prepared statement. Values are bound from 1 and read from 0, as SQLite counts.
class SqliteStatement {
 public:
  SqliteStatement& bind(int index, std::int64_t value) noexcept;
  SqliteStatement& bind_blob(int index, std::string_view value) noexcept;
  SqliteStatement& bind_null(int index) noexcept;

  /// True while there is a row. The statement is reset when there is none, and on failure.
  Result<bool> step();
  /// Runs a statement that has no rows.
  Status run();
  void reset() noexcept;

  [[nodiscard]] std::int64_t integer(int column) const noexcept;
  [[nodiscard]] std::string blob(int column) const;

 private:
  friend class SqliteDatabase;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  explicit SqliteStatement(sqlite3_stmt* statement) noexcept : statement_(statement) {}
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// One connection; used by one thread at a time.
class SqliteDatabase {
 public:
  /// Creates the file (0600) where it is missing.
  static Result<SqliteDatabase> open(const std::string& path);

  Status execute(const char* sql);
  Result<SqliteStatement> prepare(const char* sql);
  /// Rows changed by the last INSERT, UPDATE or DELETE.
  [[nodiscard]] int changes() const noexcept;
  [[nodiscard]] bool in_transaction() const noexcept;

 private:
  struct Close {
    void operator()(sqlite3* database) const noexcept;
  };
  explicit SqliteDatabase(sqlite3* database) noexcept : database_(database) {}
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace baton
