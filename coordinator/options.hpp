#pragma once

#include <cstdint>
#include <string>

#include "coordinator/config.hpp"
#include "shared/support/log.hpp"

namespace baton {

struct CoordinatorOptions {
  std::string run_dir;
  bool is_private = false;   ///< no journal; ends with its parent
  std::uint64_t memory = 0;  ///< bytes for all slots; 0: half of what /dev/shm has free
  std::uint64_t grace_ms = 30'000;
  LogOptions log;
  CoordinatorConfig config;  ///< limits and times; the rest is set at start
};

struct CoordinatorCommandLine {
  CoordinatorOptions options;
  int exit_code = -1;  ///< not negative: leave with it
};

/// Reads the command line; prints help and mistakes itself.
CoordinatorCommandLine parse_coordinator_options(int argc, char** argv);

}  // namespace baton
