#pragma once

#include <span>

namespace baton {

/// First argument by which the synth-worker's program becomes a guard.
inline constexpr const char* kGuardArgument = "--guard";

/// Runs `command` (program and arguments) and ends with its exit code, 128 + N after signal N. All its
/// descendants, those that left its process group too, are killed when it ends, when the parent process ends
/// however that happens, and on SIGTERM. A process of its own, so that it outlives a worker that is killed.
int run_guard(std::span<char* const> command);

}  // namespace baton
