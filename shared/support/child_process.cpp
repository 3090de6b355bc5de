#include "shared/support/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace baton {

namespace {

/// Everything that the child needs, made before fork: between fork and exec only async-signal-safe calls
/// happen.
struct Prepared {
  std::vector<char*> argv;
  std::vector<std::string> environment_strings;
  std::vector<char*> envp;
  UniqueFd null_fd;
  UniqueFd error_read;
  UniqueFd error_write;
  pid_t parent = 0;
};

bool replaces(const ChildOptions& options, const char* entry) {
  return std::any_of(options.environment.begin(), options.environment.end(), [&](const auto& pair) {
    return std::strncmp(entry, pair.first.c_str(), pair.first.size()) == 0 && entry[pair.first.size()] == '=';
  });
}

Result<Prepared> prepare(const ChildOptions& options) {
  Prepared prepared;
  prepared.argv.push_back(const_cast<char*>(options.program.c_str()));
  for (const std::string& argument : options.arguments) {
    prepared.argv.push_back(const_cast<char*>(argument.c_str()));
  }
  prepared.argv.push_back(nullptr);
  for (const auto& [name, value] : options.environment) {
    prepared.environment_strings.push_back(name + "=" + value);
  }
  for (std::string& entry : prepared.environment_strings) {
    prepared.envp.push_back(entry.data());
  }
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!replaces(options, *entry)) {
      prepared.envp.push_back(*entry);
    }
  }
  prepared.envp.push_back(nullptr);
  prepared.null_fd.reset(::open("/dev/null", O_RDWR | O_CLOEXEC));
  int pipe_fds[2];
  if (!prepared.null_fd.is_open() || ::pipe2(pipe_fds, O_CLOEXEC) != 0) {
    return errno_status("starting " + options.program, errno);
  }
  prepared.error_read.reset(pipe_fds[0]);
  prepared.error_write.reset(pipe_fds[1]);
  prepared.parent = ::getpid();
  return prepared;
}

bool limit(int resource, const std::optional<std::uint64_t>& bound) {
  if (!bound) {
    return true;
  }
  const rlimit value{*bound, *bound};
  return ::setrlimit(static_cast<__rlimit_resource>(resource), &value) == 0;
}

bool apply_limits(const ChildLimits& limits) {
  return limit(RLIMIT_AS, limits.address_space_bytes) && limit(RLIMIT_FSIZE, limits.file_bytes) &&
         limit(RLIMIT_CPU, limits.cpu_seconds) && limit(RLIMIT_NPROC, limits.processes);
}

/// Puts the standard descriptors in place and moves the error pipe to 3; all others are closed.
bool place_descriptors(const ChildOptions& options, const Prepared& prepared) {
  const int out = options.stdout_fd >= 0 ? options.stdout_fd : prepared.null_fd.get();
  const int error = options.stderr_fd >= 0 ? options.stderr_fd : STDERR_FILENO;
  const int high_out = ::fcntl(out, F_DUPFD_CLOEXEC, 10);
  const int high_error = ::fcntl(error, F_DUPFD_CLOEXEC, 10);
  const int high_pipe = ::fcntl(prepared.error_write.get(), F_DUPFD_CLOEXEC, 10);
  const int high_null = ::fcntl(prepared.null_fd.get(), F_DUPFD_CLOEXEC, 10);
  return ::dup2(high_null, 0) == 0 && ::dup2(high_out, 1) == 1 && ::dup2(high_error, 2) == 2 &&
         ::dup3(high_pipe, 3, O_CLOEXEC) == 3 && ::syscall(SYS_close_range, 4U, ~0U, 0U) == 0;
}

void reset_signals() {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int number = 1; number < 32; ++number) {
    ::signal(number, SIG_DFL);
  }
}

[[noreturn]] void run_child(const ChildOptions& options, Prepared& prepared) {
  reset_signals();
  bool good = !options.new_group || ::setpgid(0, 0) == 0;
  if (options.parent_death_signal != 0) {
    good =
        good && ::prctl(PR_SET_PDEATHSIG, options.parent_death_signal) == 0 && ::getppid() == prepared.parent;
  }
  good = good && place_descriptors(options, prepared) && apply_limits(options.limits);
  good = good && (options.directory.empty() || ::chdir(options.directory.c_str()) == 0);
  if (good) {
    ::execvpe(options.program.c_str(), prepared.argv.data(), prepared.envp.data());
  }
  const int error = errno;
  const ssize_t ignored = ::write(3, &error, sizeof error);
  static_cast<void>(ignored);
  ::_exit(127);
}

/// The errno with which the child failed before its exec, or 0 once exec has closed the pipe.
int read_exec_error(int fd) {
  int error = 0;
  ssize_t got = 0;
  do {
    got = ::read(fd, &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof error) ? error : 0;
}

}  // namespace

std::string ChildExit::to_string() const {
  return (signalled ? "signal " : "exit ") + std::to_string(code);
}

Result<ChildProcess> ChildProcess::start(const ChildOptions& options) {
  BATON_ASSIGN_OR_RETURN(Prepared prepared, prepare(options));
  const pid_t pid = ::fork();
  if (pid < 0) {
    return errno_status("starting " + options.program, errno);
  }
  if (pid == 0) {
    run_child(options, prepared);
  }
  prepared.error_write.reset();
  const int error = read_exec_error(prepared.error_read.get());
  UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  ChildProcess child(pid, std::move(pidfd), options.new_group);
  if (error != 0) {
    return errno_status("starting " + options.program, error);
  }
  if (!child.pidfd_.is_open()) {
    return errno_status("pidfd of " + options.program, errno);
  }
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::move(other.pidfd_)),
      group_(other.group_),
      exit_(other.exit_) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    kill_and_reap();
    pid_ = std::exchange(other.pid_, -1);
    pidfd_ = std::move(other.pidfd_);
    group_ = other.group_;
    exit_ = other.exit_;
  }
  return *this;
}

ChildProcess::~ChildProcess() {
  kill_and_reap();
}

void ChildProcess::signal(int number) const noexcept {
  if (pid_ <= 0 || exit_) {
    return;
  }
  ::kill(group_ ? -pid_ : pid_, number);
}

std::optional<ChildExit> ChildProcess::wait(int timeout_ms) {
  if (pid_ <= 0 || exit_) {
    return exit_;
  }
  if (timeout_ms != 0 && pidfd_.is_open()) {
    pollfd entry{pidfd_.get(), POLLIN, 0};
    while (::poll(&entry, 1, timeout_ms) < 0 && errno == EINTR) {
    }
  }
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid != pid_) {
    return std::nullopt;
  }
  if (group_) {
    ::kill(-pid_, SIGKILL);  // while the unreaped leader still holds the group's number
  }
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  exit_ = WIFSIGNALED(status) ? ChildExit{true, WTERMSIG(status)} : ChildExit{false, WEXITSTATUS(status)};
  return exit_;
}

void ChildProcess::kill_and_reap() noexcept {
  if (pid_ <= 0 || exit_) {
    return;
  }
  signal(SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

}  // namespace baton
