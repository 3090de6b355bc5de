#include "shared/support/log.hpp"

#include <array>

#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace baton {

struct Log::Impl {
  explicit Impl(spdlog::sink_ptr sink) : logger("baton", std::move(sink)) {}
  spdlog::logger logger;
  std::string role;
  std::string worker;
};

namespace {

constexpr std::array<std::string_view, 5> kLevelNames = {"debug", "info", "warn", "error", "off"};

spdlog::level::level_enum to_spdlog(LogLevel level) {
  constexpr std::array kLevels = {spdlog::level::debug, spdlog::level::info, spdlog::level::warn,
                                  spdlog::level::err, spdlog::level::off};
  return kLevels[static_cast<std::size_t>(level)];
}

Result<spdlog::sink_ptr> make_sink(const std::string& file) {
  try {
    if (file.empty()) {
      return spdlog::sink_ptr(std::make_shared<spdlog::sinks::stderr_sink_mt>());
    }
    return spdlog::sink_ptr(std::make_shared<spdlog::sinks::basic_file_sink_mt>(file));
  } catch (const spdlog::spdlog_ex& error) {
    return invalid_input("log file " + file + ": " + error.what());
  }
}

}  // namespace

Result<LogLevel> parse_log_level(std::string_view name) {
  for (std::size_t i = 0; i < kLevelNames.size(); ++i) {
    if (kLevelNames[i] == name) {
      return static_cast<LogLevel>(i);
    }
  }
  return invalid_input("log level: expected debug, info, warn, error or off, found \"" + std::string(name) +
                       "\"");
}

Result<Log> Log::open(const LogOptions& options) {
  BATON_ASSIGN_OR_RETURN(spdlog::sink_ptr sink, make_sink(options.file));
  auto impl = std::make_unique<Impl>(std::move(sink));
  impl->role = options.role;
  impl->logger.set_level(to_spdlog(options.level));
  impl->logger.set_pattern("%Y-%m-%dT%H:%M:%S.%e %l %v");
  impl->logger.flush_on(spdlog::level::warn);
  return Log(std::move(impl));
}

Log::Log(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Log::~Log() = default;
Log::Log(Log&&) noexcept = default;
Log& Log::operator=(Log&&) noexcept = default;

void Log::set_worker(std::string_view worker) {
  impl_->worker = worker;
}

void Log::debug(std::string_view text, const LogFields& fields) const {
  write(LogLevel::kDebug, text, fields);
}
void Log::info(std::string_view text, const LogFields& fields) const {
  write(LogLevel::kInfo, text, fields);
}
void Log::warn(std::string_view text, const LogFields& fields) const {
  write(LogLevel::kWarn, text, fields);
}
void Log::error(std::string_view text, const LogFields& fields) const {
  write(LogLevel::kError, text, fields);
}

void Log::write(LogLevel level, std::string_view text, const LogFields& fields) const {
  if (!impl_->logger.should_log(to_spdlog(level))) {
    return;
  }
  std::string line = impl_->role;
  if (!impl_->worker.empty()) {
    line += ' ' + impl_->worker;
  }
  if (fields.job != 0) {
    line += " job=" + std::to_string(fields.job);
  }
  if (fields.generation != 0) {
    line += " slot=" + std::to_string(fields.slot) + '.' + std::to_string(fields.generation);
  }
  line += ' ';
  line += text;
  impl_->logger.log(to_spdlog(level), spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace baton
