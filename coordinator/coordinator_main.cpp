#include <csignal>
#include <cstdio>

#include "coordinator/event_loop.hpp"
#include "coordinator/options.hpp"
#include "coordinator/preflight.hpp"
#include "coordinator/session.hpp"
#include "shared/support/exit_codes.hpp"

namespace baton {
namespace {

int exit_code_of(const Status& status) {
  const bool later = status.code() == StatusCode::kBusy || status.code() == StatusCode::kNoSpace;
  return later ? exit_code::kTemporary : exit_code::kFailed;
}

Result<int> serve(CoordinatorOptions& options, SignalFd signals, const Log& log) {
  BATON_RETURN_IF_ERROR(raise_open_files());
  BATON_ASSIGN_OR_RETURN(const SystemLimits system, read_system());
  const PreflightReport report = check_limits(system, options.memory);
  BATON_RETURN_IF_ERROR(report.verdict());
  options.config.memory_budget = report.memory_budget;
  BATON_ASSIGN_OR_RETURN(const std::unique_ptr<Session> session, Session::open(options, log));
  int code = exit_code::kOk;
  {
    BATON_ASSIGN_OR_RETURN(const std::unique_ptr<EventLoop> loop,
                           EventLoop::create(options, *session, std::move(signals), log));
    code = loop->run();
  }
  session->remove_all();
  return code;
}

int run(CoordinatorOptions options) {
  // Before any thread: the signals stay blocked in all of them.
  Result<SignalFd> signals = SignalFd::create({SIGTERM, SIGINT});
  const Result<Log> log = Log::open(options.log);
  if (!signals.is_ok() || !log.is_ok()) {
    std::fprintf(stderr, "%s\n", (log.is_ok() ? signals.status() : log.status()).to_string().c_str());
    return exit_code::kFailed;
  }
  const Result<int> code = serve(options, std::move(signals).value(), *log);
  if (!code.is_ok()) {
    log->error(code.status().to_string());
    return exit_code_of(code.status());
  }
  return *code;
}

}  // namespace
}  // namespace baton

int main(int argc, char** argv) {
  const baton::CoordinatorCommandLine line = baton::parse_coordinator_options(argc, argv);
  return line.exit_code >= 0 ? line.exit_code : baton::run(line.options);
}
