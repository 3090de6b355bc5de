#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "gpu-worker/backend_factory.hpp"
#include "gpu-worker/fixed_blinding.hpp"
#include "gpu-worker/gpu_worker.hpp"
#include "gpu-worker/options.hpp"
#include "shared/support/exit_codes.hpp"
#include "shared/worker/worker_session.hpp"

namespace baton {
namespace {

constexpr unsigned kPopulateThreads = 8;

int code_of(const Status& status) {
  switch (status.code()) {
    case StatusCode::kGpuSticky:
      return exit_code::kStickyGpu;
    case StatusCode::kUnavailable:
    case StatusCode::kPeerGone:
      return exit_code::kUnavailable;
    case StatusCode::kNoSpace:
    case StatusCode::kBusy:
      return exit_code::kTemporary;
    default:
      return exit_code::kFailed;
  }
}

/// Builds the worker top-down and serves; its exit code.
Result<int> serve(const GpuOptions& options, SignalFd signals, Log& log) {
  std::optional<Blinding> fixed_blinding;
  if (!options.fixed_blinding.empty()) {
    BATON_ASSIGN_OR_RETURN(fixed_blinding, parse_fixed_blinding(options.fixed_blinding));
    log.warn("r and s are fixed: these proofs are not zero-knowledge");
  }
  BATON_ASSIGN_OR_RETURN(const std::unique_ptr<ProverBackend> backend, make_backend(options, log));
  BATON_ASSIGN_OR_RETURN(EventFd event, EventFd::create());
  Outbox outbox(std::move(event));
  KeyStore keys(*backend);
  const unsigned lanes = options.lanes == 0 ? backend->lanes() : std::min(options.lanes, backend->lanes());
  GpuWorker worker({*backend, keys, fixed_blinding, options.backend != BackendChoice::kNull}, lanes, outbox,
                   log);
  WorkerSessionOptions session;
  session.run_dir = options.run_dir;
  session.role = WorkerRole::kGpu;
  session.slot_access = MappingAccess::kReadOnly;
  session.populate_threads = kPopulateThreads;
  session.end_with_parent = options.end_with_parent;
  BATON_ASSIGN_OR_RETURN(const std::unique_ptr<WorkerSession> life,
                         WorkerSession::create(session, std::move(signals), worker, outbox, log));
  const int code = life->run();
  if (!life->is_idle() || code != exit_code::kOk) {
    std::_Exit(code);  // lanes may still read their slots, or hang in a lost device: the kernel cleans up
  }
  return code;
}

int run(const GpuOptions& options) {
  // Before any thread: the signals stay blocked in all of them.
  auto signals = SignalFd::create({SIGTERM, SIGINT});
  auto log = Log::open(options.log);
  if (!signals.is_ok() || !log.is_ok()) {
    std::fprintf(stderr, "%s\n", (log.is_ok() ? signals.status() : log.status()).to_string().c_str());
    return exit_code::kFailed;
  }
  const Result<int> code = serve(options, std::move(*signals), *log);
  if (!code.is_ok()) {
    log->error(code.status().to_string());
    return code_of(code.status());
  }
  return *code;
}

}  // namespace
}  // namespace baton

int main(int argc, char** argv) {
  const baton::GpuCommandLine line = baton::parse_gpu_options(argc, argv);
  return line.exit_code >= 0 ? line.exit_code : baton::run(line.options);
}
