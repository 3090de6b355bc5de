#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "shared/support/result.hpp"

namespace baton {

enum class LogLevel : std::uint8_t { kDebug = 0, kInfo = 1, kWarn = 2, kError = 3, kOff = 4 };

/// "debug", "info", "warn", "error" or "off".
Result<LogLevel> parse_log_level(std::string_view name);

struct LogOptions {
  std::string role;  ///< "coordinator", "synth", "gpu" ...
  LogLevel level = LogLevel::kInfo;
  std::string file;  ///< appended to; empty: stderr. Never share one file between processes.
};

/// What a line is about; zeros are left out.
struct LogFields {
  std::uint64_t job = 0;
  std::uint32_t slot = 0;
  std::uint64_t generation = 0;  ///< zero: no slot
};

/// The one logger of a process: synchronous, flushed at every warning, so that the last line survives a kill.
/// A line reads "time level role worker job=J slot=S.G text". Safe to use from all threads. Witness values
/// never go into it.
class Log {
 public:
  static Result<Log> open(const LogOptions& options);
  ~Log();
  Log(Log&&) noexcept;
  Log& operator=(Log&&) noexcept;

  /// The worker's name for the lines that follow. Call it before other threads log.
  void set_worker(std::string_view worker);

  void debug(std::string_view text, const LogFields& fields = {}) const;
  void info(std::string_view text, const LogFields& fields = {}) const;
  void warn(std::string_view text, const LogFields& fields = {}) const;
  void error(std::string_view text, const LogFields& fields = {}) const;

 private:
  struct Impl;
  explicit Log(std::unique_ptr<Impl> impl) noexcept;
  void write(LogLevel level, std::string_view text, const LogFields& fields) const;
  std::unique_ptr<Impl> impl_;
};

}  // namespace baton
