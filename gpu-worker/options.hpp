#pragma once

#include <optional>
#include <string>

#include "shared/support/log.hpp"
#include "shared/support/result.hpp"

namespace baton {

enum class BackendChoice { kAuto, kCpu, kCuda, kNull };

struct GpuOptions {
  std::string run_dir;
  BackendChoice backend = BackendChoice::kAuto;
  std::string device;    ///< of CUDA: UUID or index; empty: the first one
  unsigned lanes = 0;    ///< zero: as many as the backend has
  unsigned threads = 0;  ///< of the CPU backend; zero: all that the process may use
  bool end_with_parent = false;
  std::string fixed_blinding;  ///< "r,s" in decimal, for tests: proofs are not zero-knowledge then
  LogOptions log;
};

/// What a command line asks for: options, or an exit code for --help, --version and mistakes, whose text has
/// been printed.
struct GpuCommandLine {
  GpuOptions options;
  int exit_code = -1;  ///< not negative: exit with it
};
GpuCommandLine parse_gpu_options(int argc, char** argv);

}  // namespace baton
