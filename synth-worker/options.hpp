#pragma once

#include <string>

#include "shared/support/log.hpp"
#include "shared/support/result.hpp"

namespace baton {

struct SynthOptions {
  std::string run_dir;
  unsigned threads = 0;  ///< zero: all that the process may use
  bool end_with_parent = false;
  LogOptions log;
};

/// What a command line asks for: options, or an exit code for --help, --version and mistakes, whose text has
/// been printed.
struct SynthCommandLine {
  SynthOptions options;
  int exit_code = -1;  ///< not negative: exit with it
};
SynthCommandLine parse_synth_options(int argc, char** argv);

}  // namespace baton
