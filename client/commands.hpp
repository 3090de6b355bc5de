#pragma once

#include "client/command_line.hpp"

namespace baton {

/// Each runs one command to its end, prints what it has to say (errors as one line on standard error) and
/// returns the exit code of the program.
int run_command(const ProveOptions& options);
int run_command(const VerifyOptions& options);
int run_command(const VkeyOptions& options);
int run_command(const UpOptions& options);
int run_command(const SubmitOptions& options);
int run_command(const WaitOptions& options);
int run_command(const CancelOptions& options);
int run_command(const StatusOptions& options);
int run_command(const CircuitAddOptions& options);
int run_command(const CircuitListOptions& options);
int run_command(const CircuitInfoOptions& options);
int run_command(const CircuitRemoveOptions& options);

}  // namespace baton
