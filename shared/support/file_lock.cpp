#include "shared/support/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

#include "shared/support/posix.hpp"

namespace baton {

namespace {

Status held_by_another(const std::string& path) {
  const Result<std::string> holder = read_small_file(path, 64);
  std::string pid = holder.is_ok() ? *holder : std::string();
  while (!pid.empty() && pid.back() == '\n') {
    pid.pop_back();
  }
  return {StatusCode::kBusy, path + ": already running, pid " + (pid.empty() ? "unknown" : pid)};
}

}  // namespace

Status lock_descriptor(int fd, LockMode mode, std::string_view name) {
  const int operation = (mode == LockMode::kShared ? LOCK_SH : LOCK_EX) | LOCK_NB;
  while (::flock(fd, operation) != 0) {
    if (errno == EINTR) {
      continue;
    }
    if (errno == EWOULDBLOCK) {
      return {StatusCode::kBusy, std::string(name) + ": locked by another process"};
    }
    return errno_status(name, errno);
  }
  return Status::ok();
}

Result<FileLock> FileLock::acquire(const std::string& path) {
  BATON_ASSIGN_OR_RETURN(UniqueFd fd, open_file(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NOCTTY, 0600));
  const Status locked = lock_descriptor(fd.get(), LockMode::kExclusive, path);
  if (locked.code() == StatusCode::kBusy) {
    return held_by_another(path);
  }
  BATON_RETURN_IF_ERROR(locked);
  if (::ftruncate(fd.get(), 0) != 0) {
    return errno_status(path, errno);
  }
  BATON_RETURN_IF_ERROR(write_all(fd.get(), std::to_string(::getpid()) + "\n", path));
  return FileLock(std::move(fd));
}

}  // namespace baton
