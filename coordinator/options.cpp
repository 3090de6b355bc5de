#include "coordinator/options.hpp"

#include <filesystem>
#include <iostream>

#include <CLI/CLI.hpp>

#include "shared/contract/version.hpp"
#include "shared/support/exit_codes.hpp"

namespace baton {

namespace {

void add_limits(CLI::App& app, CoordinatorOptions& options) {
  CoordinatorConfig& config = options.config;
  app.add_option("--memory", options.memory,
                 "Shared memory for all slots, as 4GB or 512MB; 0: half of what is free")
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--slots", config.slots_per_class, "Slots per size class; 0: as the workers present need");
  app.add_option("--queue-limit", config.queue_limit,
                 "Jobs accepted and not ended, beyond which clients hear BUSY")
      ->capture_default_str();
  app.add_option("--max-failures", config.max_failures, "Failed attempts after which a job fails")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--max-strikes", config.max_strikes, "Workers that may die over one job alone")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--retained-jobs", config.retained_jobs, "Ended jobs kept in memory")->capture_default_str();
}

struct Times {
  double fill = 600;
  double prove = 600;
  double prepare = 1800;
  double grace = 30;
};

Milliseconds milliseconds(double seconds) {
  return Milliseconds(static_cast<Milliseconds::rep>(seconds * 1000));
}

void add_times(CLI::App& app, Times& times) {
  const auto range = CLI::Range(0.001, 1e6);
  app.add_option("--fill-deadline", times.fill, "Seconds until a late synth-worker is killed")->check(range);
  app.add_option("--prove-deadline", times.prove, "Seconds until a late gpu-worker is killed")->check(range);
  app.add_option("--prepare-deadline", times.prepare, "Seconds for preparing a circuit")->check(range);
  app.add_option("--grace", times.grace, "Seconds for running work after SIGTERM")
      ->check(CLI::Range(0.0, 1e6));
}

}  // namespace

CoordinatorCommandLine parse_coordinator_options(int argc, char** argv) {
  CoordinatorCommandLine line;
  CoordinatorOptions& options = line.options;
  options.log.role = "coordinator";
  options.config.version = "baton, protocol " + std::to_string(kProtocolVersion);
  std::string level;
  Times times;
  CLI::App app{"Hands slots and jobs to workers; started by `baton up` or a supervisor"};
  app.add_option("--run-dir", options.run_dir, "Run directory: sockets, lock, journal")
      ->envname("BATON_RUN_DIR")
      ->required();
  app.add_flag("--private", options.is_private, "Keep no journal and end with the parent process");
  add_limits(app, options);
  add_times(app, times);
  app.add_option("--log-level", level, "debug, info, warn, error or off (info; with --private: warn)");
  app.add_option("--log-file", options.log.file, "Append the log to this file instead of standard error");
  app.set_version_flag("--version", "baton-coordinator, protocol " + std::to_string(kProtocolVersion));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    line.exit_code = app.exit(error) == 0 ? exit_code::kOk : exit_code::kUsage;
    return line;
  }
  const std::string_view usual = options.is_private ? "warn" : "info";
  const Result<LogLevel> parsed = parse_log_level(level.empty() ? usual : std::string_view(level));
  if (!parsed.is_ok()) {
    std::cerr << parsed.status().message() << "\n";
    line.exit_code = exit_code::kUsage;
    return line;
  }
  options.log.level = *parsed;
  options.config.fill_deadline = milliseconds(times.fill);
  options.config.prove_deadline = milliseconds(times.prove);
  options.config.prepare_deadline = milliseconds(times.prepare);
  options.grace_ms = static_cast<std::uint64_t>(times.grace * 1000);
  options.run_dir = std::filesystem::absolute(options.run_dir).lexically_normal().string();
  if (options.run_dir.size() > 1 && options.run_dir.back() == '/') {
    options.run_dir.pop_back();
  }
  return line;
}

}  // namespace baton
