#include "shared/support/process_handle.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <string_view>

#include "shared/support/posix.hpp"

namespace baton {

namespace {

constexpr int kStartTimeField = 22;  // of /proc/PID/stat, counted from one

std::string proc_path(pid_t pid, std::string_view leaf) {
  return "/proc/" + std::to_string(pid) + "/" + std::string(leaf);
}

std::string process_name(pid_t pid) {
  return "process " + std::to_string(pid);
}

/// Field 2 is the command in parentheses and may hold spaces and parentheses: count from the last ')'.
Result<std::uint64_t> parse_start_time(std::string_view stat) {
  std::size_t position = stat.rfind(')');
  for (int field = 2; field < kStartTimeField && position != std::string_view::npos; ++field) {
    position = stat.find(' ', position + 1);
  }
  if (position == std::string_view::npos) {
    return internal_error("/proc/PID/stat has no start time");
  }
  std::uint64_t ticks = 0;
  const char* begin = stat.data() + position + 1;
  if (std::from_chars(begin, stat.data() + stat.size(), ticks).ec != std::errc{}) {
    return internal_error("/proc/PID/stat: start time is not a number");
  }
  return ticks;
}

Status check_owner(pid_t pid) {
  struct stat info {};
  if (::stat(proc_path(pid, "").c_str(), &info) != 0) {
    return errno_status(process_name(pid), errno);
  }
  if (info.st_uid != ::geteuid()) {
    return {StatusCode::kPermission, process_name(pid) + ": owned by uid " + std::to_string(info.st_uid)};
  }
  return Status::ok();
}

/// A zombie's namespace cannot be read; it has ended, which the caller learns from the pidfd.
Status check_namespace(pid_t pid) {
  struct stat ours {};
  struct stat theirs {};
  if (::stat("/proc/self/ns/pid", &ours) != 0 || ::stat(proc_path(pid, "ns/pid").c_str(), &theirs) != 0) {
    return Status::ok();
  }
  if (ours.st_ino != theirs.st_ino) {
    return {StatusCode::kPermission, process_name(pid) + ": lives in another pid namespace"};
  }
  return Status::ok();
}

}  // namespace

Result<std::uint64_t> process_start_time(pid_t pid) {
  const Result<std::string> stat = read_small_file(proc_path(pid, "stat"), 4096);
  if (!stat.is_ok()) {
    return Status(StatusCode::kNotFound, process_name(pid) + ": no such process");
  }
  return parse_start_time(*stat);
}

Result<ProcessIdentity> this_process() {
  ProcessIdentity identity;
  identity.pid = ::getpid();
  BATON_ASSIGN_OR_RETURN(identity.start_time, process_start_time(identity.pid));
  return identity;
}

Result<ProcessHandle> ProcessHandle::open(ProcessIdentity identity) {
  UniqueFd fd(static_cast<int>(::syscall(SYS_pidfd_open, identity.pid, 0)));
  if (!fd.is_open()) {
    return errno_status(process_name(identity.pid), errno);
  }
  BATON_ASSIGN_OR_RETURN(const std::uint64_t start_time, process_start_time(identity.pid));
  if (start_time != identity.start_time) {
    return Status(StatusCode::kNotFound, process_name(identity.pid) + ": started at tick " +
                                             std::to_string(start_time) + ", expected " +
                                             std::to_string(identity.start_time));
  }
  BATON_RETURN_IF_ERROR(check_owner(identity.pid));
  BATON_RETURN_IF_ERROR(check_namespace(identity.pid));
  return ProcessHandle(std::move(fd), identity);
}

bool ProcessHandle::has_ended() const noexcept {
  pollfd entry{fd_.get(), POLLIN, 0};
  return ::poll(&entry, 1, 0) == 1;
}

Status ProcessHandle::send_signal(int signal) const {
  if (::syscall(SYS_pidfd_send_signal, fd_.get(), signal, nullptr, 0) != 0 && errno != ESRCH) {
    return errno_status(process_name(identity_.pid), errno);
  }
  return Status::ok();
}

}  // namespace baton
