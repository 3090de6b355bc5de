#include "gpu-worker/options.hpp"

#include <iostream>
#include <map>

#include <CLI/CLI.hpp>

#include "shared/contract/version.hpp"
#include "shared/support/exit_codes.hpp"

namespace baton {

namespace {

/// What CLI11 cannot check by itself; an empty text when all is well.
std::string check(GpuOptions& options, bool allow_null, const std::string& level) {
  if (options.backend == BackendChoice::kNull && !allow_null) {
    return "--backend null makes no proofs: it needs --allow-null";
  }
  // What a private pipeline logs lands in somebody's terminal: only what is wrong.
  const std::string_view fallback = options.end_with_parent ? "warn" : "info";
  const Result<LogLevel> parsed = parse_log_level(level.empty() ? fallback : level);
  if (!parsed.is_ok()) {
    return parsed.status().message();
  }
  options.log.level = *parsed;
  return {};
}

}  // namespace

GpuCommandLine parse_gpu_options(int argc, char** argv) {
  GpuCommandLine line;
  GpuOptions& options = line.options;
  options.log.role = "gpu";
  std::string level;
  bool allow_null = false;
  const std::map<std::string, BackendChoice> backends = {{"auto", BackendChoice::kAuto},
                                                         {"cpu", BackendChoice::kCpu},
                                                         {"cuda", BackendChoice::kCuda},
                                                         {"null", BackendChoice::kNull}};
  CLI::App app{"Proves what lies in sealed slots; started by `baton up` or a supervisor"};
  app.add_option("--run-dir", options.run_dir, "The coordinator's run directory")
      ->envname("BATON_RUN_DIR")
      ->required();
  app.add_option("--backend", options.backend, "auto, cpu or cuda")
      ->transform(CLI::CheckedTransformer(backends, CLI::ignore_case));
  app.add_option("--device", options.device, "The GPU, by UUID (GPU-...) or CUDA's index");
  app.add_option("--lanes", options.lanes, "Proofs in flight at once; 0: as many as the backend has")
      ->envname("BATON_LANES")
      ->check(CLI::Range(0, 16));
  app.add_option("--threads", options.threads, "Threads of the CPU backend; 0: all");
  app.add_flag("--private", options.end_with_parent, "End with the parent process and the coordinator");
  app.add_option("--log-level", level, "debug, info, warn, error or off");
  app.add_option("--log-file", options.log.file, "Append the log to this file instead of standard error");
  app.add_flag("--allow-null", allow_null)->group("");
  app.add_option("--insecure-fixed-blinding", options.fixed_blinding)->group("");
  app.set_version_flag("--version", "baton-gpu-worker, protocol " + std::to_string(kProtocolVersion));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    line.exit_code = app.exit(error) == 0 ? exit_code::kOk : exit_code::kUsage;
    return line;
  }
  if (const std::string mistake = check(options, allow_null, level); !mistake.empty()) {
    std::cerr << mistake << "\n";
    line.exit_code = exit_code::kUsage;
  }
  return line;
}

}  // namespace baton
