#pragma once

/// Exit codes of every program of the project.
namespace baton::exit_code {

constexpr int kOk = 0;
constexpr int kFailed = 1;        ///< the proof failed, or is invalid
constexpr int kBadInput = 2;      ///< an input file cannot be used, or there is nothing to check
constexpr int kUsage = 64;        ///< the command line is wrong
constexpr int kUnavailable = 69;  ///< no service answers
constexpr int kStickyGpu = 70;    ///< the CUDA context is lost; a new process may go on
constexpr int kTemporary = 75;    ///< no space, busy, or already running; try again later
constexpr int kRejected = 78;     ///< the coordinator is of another build

}  // namespace baton::exit_code
