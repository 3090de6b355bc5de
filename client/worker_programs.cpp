#include "client/worker_programs.hpp"

#include "client/program_paths.hpp"

namespace baton {

namespace {

Result<ChildOptions> program(const char* name, const std::string& run_dir) {
  ChildOptions options;
  BATON_ASSIGN_OR_RETURN(options.program, sibling_program(name));
  options.arguments = {"--run-dir", run_dir};
  return options;
}

void add_threads(unsigned threads, ChildOptions& options) {
  if (threads > 0) {
    options.arguments.insert(options.arguments.end(), {"--threads", std::to_string(threads)});
  }
}

}  // namespace

Result<ChildOptions> coordinator_program(const std::string& run_dir) {
  return program("baton-coordinator", run_dir);
}

Result<ChildOptions> synth_worker_program(const std::string& run_dir, unsigned threads) {
  BATON_ASSIGN_OR_RETURN(ChildOptions options, program("baton-synth-worker", run_dir));
  add_threads(threads, options);
  return options;
}

Result<ChildOptions> gpu_worker_program(const std::string& run_dir, unsigned threads,
                                        const std::string& backend) {
  BATON_ASSIGN_OR_RETURN(ChildOptions options, program("baton-gpu-worker", run_dir));
  add_threads(threads, options);
  options.arguments.insert(options.arguments.end(), {"--backend", backend});
  return options;
}

}  // namespace baton
