#include "synth-worker/witness_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <vector>

#include "shared/support/child_process.hpp"
#include "shared/support/posix.hpp"
#include "synth-worker/program_guard.hpp"
#include "synth-worker/wasm_runner.hpp"

namespace baton {

namespace {

constexpr std::uint64_t kMaxPrintedBytes = 64 << 10;
constexpr std::uint64_t kDefaultCpuSeconds = 3600;
constexpr std::size_t kShownBytes = 300;
constexpr int kGuardEndsWithinMs = 2000;

Result<UniqueFd> anonymous_file(const char* name) {
  UniqueFd fd(::memfd_create(name, MFD_CLOEXEC));
  if (!fd.is_open()) {
    return errno_status("memfd_create", errno);
  }
  return fd;
}

/// The path under which a child of ours reaches an open file of ours.
std::string path_of(const UniqueFd& fd) {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(fd.get());
}

std::uint64_t size_of(const UniqueFd& fd) {
  struct stat info {};
  return ::fstat(fd.get(), &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

/// The last line that was printed, without control characters.
std::string last_line(const UniqueFd& printed) {
  const std::uint64_t size = size_of(printed);
  const std::uint64_t start = size > kShownBytes ? size - kShownBytes : 0;
  std::string text(static_cast<std::size_t>(size - start), '\0');
  if (!pread_exact(printed.get(), std::as_writable_bytes(std::span(text)), start, "output").is_ok()) {
    return {};
  }
  while (!text.empty() && text.back() <= ' ') {
    text.pop_back();
  }
  if (const std::size_t newline = text.rfind('\n'); newline != std::string::npos) {
    text.erase(0, newline + 1);
  }
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; }, ' ');
  return text;
}

bool is_wasm(const std::string& program) {
  return program.size() > 5 && program.compare(program.size() - 5, 5, ".wasm") == 0;
}

ChildOptions child_options(const WitnessProgramRun& run, const std::string& input, const UniqueFd& output,
                           const UniqueFd& printed) {
  ChildOptions child;
  if (is_wasm(run.program)) {
    child.program = "node";
    child.arguments = {"-e", std::string(wasm_runner_source()), "--", run.program, input, path_of(output)};
  } else {
    child.program = run.program;
    child.arguments = {input, path_of(output)};
  }
  if (!run.guard.empty()) {
    child.arguments.insert(child.arguments.begin(), {kGuardArgument, child.program});
    child.program = run.guard;
  }
  child.stdout_fd = printed.get();
  child.stderr_fd = printed.get();
  child.new_group = true;
  child.parent_death_signal = run.guard.empty() ? SIGKILL : 0;  // a guard must live to do its work
  child.limits.file_bytes = std::max(run.max_output_bytes, kMaxPrintedBytes);
  child.limits.cpu_seconds = kDefaultCpuSeconds;
  return child;
}

enum class Ended { kByItself, kCancelled, kDeadline };

int milliseconds_left(const std::optional<Instant>& deadline) {
  if (!deadline) {
    return -1;
  }
  const auto left = std::chrono::ceil<Milliseconds>(*deadline - now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000'000));
}

Ended wait_for_end(const ChildProcess& child, const WitnessProgramRun& run) {
  std::array<pollfd, 2> entries = {pollfd{child.pidfd(), POLLIN, 0}, pollfd{run.cancel_fd, POLLIN, 0}};
  while (true) {
    const int left = milliseconds_left(run.deadline);
    const int ready = ::poll(entries.data(), entries.size(), left);
    if (ready > 0 && entries[0].revents != 0) {
      return Ended::kByItself;
    }
    if (ready > 0 && entries[1].revents != 0) {
      return Ended::kCancelled;
    }
    if (ready == 0 && milliseconds_left(run.deadline) == 0) {
      return Ended::kDeadline;
    }
  }
}

/// Lets a guard end what it guards; whatever is left is killed with the child's destruction.
void stop(ChildProcess& child, const WitnessProgramRun& run) {
  if (!run.guard.empty()) {
    child.signal(SIGTERM);
    child.wait(kGuardEndsWithinMs);
  }
}

Status judge(ChildProcess& child, const WitnessProgramRun& run, const UniqueFd& printed) {
  switch (wait_for_end(child, run)) {
    case Ended::kCancelled:
      stop(child, run);
      return {StatusCode::kCancelled, run.program + ": cancelled"};
    case Ended::kDeadline:
      stop(child, run);
      return {StatusCode::kDeadline, run.program + ": killed at the deadline"};
    case Ended::kByItself:
      break;
  }
  const std::optional<ChildExit> exit = child.wait(-1);
  if (!exit) {
    return internal_error(run.program + ": its end cannot be read");
  }
  if (!exit->success()) {
    const std::string line = last_line(printed);
    return invalid_input(run.program + ": " + exit->to_string() + (line.empty() ? "" : ": " + line));
  }
  return Status::ok();
}

}  // namespace

Result<std::unique_ptr<ByteSource>> run_witness_program(const WitnessProgramRun& run) {
  BATON_ASSIGN_OR_RETURN(UniqueFd output, anonymous_file("witness"));
  BATON_ASSIGN_OR_RETURN(const UniqueFd printed, anonymous_file("printed"));
  UniqueFd input;
  std::string input_path = run.input_path;
  if (input_path.empty()) {
    BATON_ASSIGN_OR_RETURN(input, anonymous_file("input"));
    BATON_RETURN_IF_ERROR(write_all(input.get(), run.input_bytes, "input"));
    input_path = path_of(input);
  }
  {
    BATON_ASSIGN_OR_RETURN(ChildProcess child,
                           ChildProcess::start(child_options(run, input_path, output, printed)));
    BATON_RETURN_IF_ERROR(judge(child, run, printed));
  }
  const std::uint64_t size = size_of(output);
  if (size == 0) {
    return invalid_input(run.program + ": ended without an error and without a witness");
  }
  return std::unique_ptr<ByteSource>(
      std::make_unique<FileSource>("witness of " + run.program, std::move(output), size));
}

}  // namespace baton
