#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <thread>

#include <oneapi/tbb/global_control.h>

#include "shared/support/exit_codes.hpp"
#include "shared/worker/worker_session.hpp"
#include "synth-worker/options.hpp"
#include "synth-worker/program_guard.hpp"
#include "synth-worker/synth_worker.hpp"

namespace baton {
namespace {

/// Builds the worker top-down and serves; its exit code.
Result<int> serve(const SynthOptions& options, SignalFd signals, Log& log) {
  BATON_ASSIGN_OR_RETURN(EventFd event, EventFd::create());
  Outbox outbox(std::move(event));
  BATON_ASSIGN_OR_RETURN(const std::unique_ptr<SynthWorker> worker, SynthWorker::create(outbox, log));
  WorkerSessionOptions session;
  session.run_dir = options.run_dir;
  session.role = WorkerRole::kSynth;
  session.slot_access = MappingAccess::kReadWrite;
  session.end_with_parent = options.end_with_parent;
  BATON_ASSIGN_OR_RETURN(const std::unique_ptr<WorkerSession> life,
                         WorkerSession::create(session, std::move(signals), *worker, outbox, log));
  const int code = life->run();
  if (!life->is_idle() || code != exit_code::kOk) {
    std::_Exit(code);  // a fill may still write to its slot: the kernel cleans up
  }
  return code;
}

int run(const SynthOptions& options) {
  // Before any thread: the signals stay blocked in all of them.
  auto signals = SignalFd::create({SIGTERM, SIGINT});
  auto log = Log::open(options.log);
  if (!signals.is_ok() || !log.is_ok()) {
    std::fprintf(stderr, "%s\n", (log.is_ok() ? signals.status() : log.status()).to_string().c_str());
    return exit_code::kFailed;
  }
  const unsigned threads = options.threads != 0 ? options.threads : std::thread::hardware_concurrency();
  const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                          std::max(threads, 1U));
  const Result<int> code = serve(options, std::move(*signals), *log);
  if (!code.is_ok()) {
    log->error(code.status().to_string());
    return exit_code::kFailed;
  }
  return *code;
}

}  // namespace
}  // namespace baton

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == baton::kGuardArgument) {
    return baton::run_guard(std::span(argv + 2, static_cast<std::size_t>(argc - 2)));
  }
  const baton::SynthCommandLine line = baton::parse_synth_options(argc, argv);
  return line.exit_code >= 0 ? line.exit_code : baton::run(line.options);
}
