#include "synth-worker/program_guard.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <string>

#include "shared/support/child_process.hpp"
#include "shared/support/exit_codes.hpp"
#include "shared/support/posix.hpp"
#include "shared/support/process_handle.hpp"
#include "shared/support/signals.hpp"

namespace baton {

namespace {

constexpr std::size_t kMaxListedBytes = 1 << 16;

/// Orphans of the program become our children: we are their subreaper. Each round kills those that are there;
/// theirs are there in the next.
void kill_descendants() {
  const std::string list = "/proc/self/task/" + std::to_string(::getpid()) + "/children";
  while (true) {
    const Result<std::string> children = read_small_file(list, kMaxListedBytes);
    if (!children.is_ok() || children->empty()) {
      return;
    }
    const char* at = children->data();
    const char* end = at + children->size();
    pid_t pid = 0;
    for (auto read = std::from_chars(at, end, pid); read.ec == std::errc{};
         read = std::from_chars(at, end, pid)) {
      ::kill(pid, SIGKILL);
      at = read.ptr < end ? read.ptr + 1 : end;
    }
    while (::waitpid(-1, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

Result<ProcessHandle> open_parent() {
  const pid_t parent = ::getppid();
  BATON_ASSIGN_OR_RETURN(const std::uint64_t start_time, process_start_time(parent));
  return ProcessHandle::open({parent, start_time});
}

/// Waits for the program's end; nothing when it is to be killed.
std::optional<ChildExit> wait_for_end(ChildProcess& program, const ProcessHandle& parent,
                                      const SignalFd& signals) {
  std::array<pollfd, 3> entries = {pollfd{program.pidfd(), POLLIN, 0}, pollfd{parent.fd(), POLLIN, 0},
                                   pollfd{signals.fd(), POLLIN, 0}};
  while (::poll(entries.data(), entries.size(), -1) < 0 && errno == EINTR) {
  }
  return entries[0].revents != 0 ? program.wait(-1) : std::nullopt;
}

Result<int> guard(std::span<char* const> command) {
  BATON_ASSIGN_OR_RETURN(SignalFd signals, SignalFd::create({SIGTERM}));
  BATON_ASSIGN_OR_RETURN(const ProcessHandle parent, open_parent());
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) {
    return errno_status("prctl", errno);
  }
  ChildOptions options;
  options.program = command.front();
  options.arguments.assign(command.begin() + 1, command.end());
  options.stdout_fd = STDOUT_FILENO;
  options.stderr_fd = STDERR_FILENO;
  options.parent_death_signal = SIGKILL;
  BATON_ASSIGN_OR_RETURN(ChildProcess program, ChildProcess::start(options));
  const std::optional<ChildExit> exit = wait_for_end(program, parent, signals);
  kill_descendants();
  if (!exit) {
    return exit_code::kFailed;
  }
  return exit->signalled ? 128 + exit->code : exit->code;
}

}  // namespace

int run_guard(std::span<char* const> command) {
  if (command.empty()) {
    return exit_code::kUsage;
  }
  const Result<int> code = guard(command);
  if (!code.is_ok()) {
    const std::string line = code.status().message() + "\n";
    static_cast<void>(write_all(STDERR_FILENO, line, "stderr"));
    return exit_code::kFailed;
  }
  return *code;
}

}  // namespace baton
