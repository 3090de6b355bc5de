#include "synth-worker/options.hpp"

#include <CLI/CLI.hpp>

#include "shared/contract/version.hpp"
#include "shared/support/exit_codes.hpp"

namespace baton {

SynthCommandLine parse_synth_options(int argc, char** argv) {
  SynthCommandLine line;
  SynthOptions& options = line.options;
  options.log.role = "synth";
  std::string level;
  CLI::App app{"Fills slots with witnesses and constraint values; started by `baton up` or a supervisor"};
  app.add_option("--run-dir", options.run_dir, "The coordinator's run directory")
      ->envname("BATON_RUN_DIR")
      ->required();
  app.add_option("--threads", options.threads, "Threads to compute with; 0: all");
  app.add_flag("--private", options.end_with_parent, "End with the parent process and the coordinator");
  app.add_option("--log-level", level, "debug, info, warn, error or off");
  app.add_option("--log-file", options.log.file, "Append the log to this file instead of standard error");
  app.set_version_flag("--version", "baton-synth-worker, protocol " + std::to_string(kProtocolVersion));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    line.exit_code = app.exit(error) == 0 ? exit_code::kOk : exit_code::kUsage;
    return line;
  }
  // What a private pipeline logs lands in somebody's terminal: only what is wrong.
  const std::string_view fallback = options.end_with_parent ? "warn" : "info";
  const Result<LogLevel> parsed = parse_log_level(level.empty() ? fallback : level);
  if (!parsed.is_ok()) {
    std::cerr << parsed.status().message() << "\n";
    line.exit_code = exit_code::kUsage;
    return line;
  }
  options.log.level = *parsed;
  return line;
}

}  // namespace baton
