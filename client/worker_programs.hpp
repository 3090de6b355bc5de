#pragma once

#include <string>

#include "shared/support/child_process.hpp"

namespace baton {

/// Command lines of the service's programs, as children of this process. `threads` 0 leaves the number to
/// them.
Result<ChildOptions> coordinator_program(const std::string& run_dir);
Result<ChildOptions> synth_worker_program(const std::string& run_dir, unsigned threads);
Result<ChildOptions> gpu_worker_program(const std::string& run_dir, unsigned threads,
                                        const std::string& backend);

}  // namespace baton
