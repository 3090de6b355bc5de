#include "shared/segments/segment.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "shared/support/fault_point.hpp"
#include "shared/support/file_lock.hpp"
#include "shared/support/posix.hpp"

namespace baton {

namespace {

constexpr std::size_t kPageBytes = 4096;

Status no_space(const std::string& directory, const std::string& name, std::size_t needed) {
  const Result<std::uint64_t> available = free_bytes(directory);
  return {StatusCode::kNoSpace, name + ": needs " + std::to_string(needed) + " bytes of " + directory + ", " +
                                    (available.is_ok() ? std::to_string(*available) : "unknown") +
                                    " are free"};
}

/// Reserves every block, so that a full file system is an error here and no signal later.
Status reserve(int fd, const std::string& directory, const std::string& name, std::size_t bytes) {
  int error = 0;
  do {
    error = ::posix_fallocate(fd, 0, static_cast<off_t>(bytes));
  } while (error == EINTR);
  if (error == ENOSPC || error == EFBIG || error == ENOMEM) {
    return no_space(directory, name, bytes);
  }
  return error == 0 ? Status::ok() : errno_status(name, error);
}

Status publish(int fd, const std::string& path) {
  const std::string self = "/proc/self/fd/" + std::to_string(fd);
  if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) != 0) {
    return errno_status(path, errno);
  }
  return Status::ok();
}

Status check_file(const struct stat& info, const std::string& path) {
  if (!S_ISREG(info.st_mode)) {
    return {StatusCode::kPermission, path + ": not a regular file"};
  }
  if (info.st_uid != ::geteuid()) {
    return {StatusCode::kPermission, path + ": owned by uid " + std::to_string(info.st_uid) + ", expected " +
                                         std::to_string(::geteuid())};
  }
  if ((info.st_mode & 07777U) != 0600U) {
    return {StatusCode::kPermission, path + ": others may open it, expected mode 0600"};
  }
  if (info.st_nlink > 1) {
    return {StatusCode::kPermission, path + ": has " + std::to_string(info.st_nlink) + " links, expected 1"};
  }
  if (info.st_nlink == 0) {
    return {StatusCode::kNotFound, path + ": removed"};
  }
  return Status::ok();
}

Result<struct stat> checked_stat(int fd, const std::string& path) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) {
    return errno_status(path, errno);
  }
  BATON_RETURN_IF_ERROR(check_file(info, path));
  return info;
}

}  // namespace

Result<Segment> Segment::create(const std::string& directory, const std::string& name, std::size_t bytes,
                                unsigned threads, const Initialise& initialise) {
  const std::string path = directory + "/" + name;
  BATON_ASSIGN_OR_RETURN(UniqueFd fd, open_file(directory, O_TMPFILE | O_RDWR, 0600));
  if (::fchmod(fd.get(), 0600) != 0) {  // whatever the umask left
    return errno_status(path, errno);
  }
  BATON_RETURN_IF_ERROR(lock_descriptor(fd.get(), LockMode::kShared, path));
  BATON_RETURN_IF_ERROR(reserve(fd.get(), directory, name, bytes));
  BATON_ASSIGN_OR_RETURN(MemoryMapping mapping,
                         MemoryMapping::map(fd.get(), bytes, MappingAccess::kReadWrite));
  BATON_RETURN_IF_ERROR(mapping.populate(threads));
  initialise(mapping.writable_bytes());
  BATON_RETURN_IF_ERROR(fault_status("segment.publish"));
  BATON_RETURN_IF_ERROR(publish(fd.get(), path));
  return Segment(std::move(fd), std::move(mapping), name);
}

Result<Segment> Segment::open(const std::string& directory, const std::string& name,
                              std::size_t expected_bytes, MappingAccess access) {
  const std::string path = directory + "/" + name;
  const int mode = access == MappingAccess::kReadOnly ? O_RDONLY : O_RDWR;
  BATON_ASSIGN_OR_RETURN(UniqueFd fd, open_file(path, mode | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  BATON_RETURN_IF_ERROR(checked_stat(fd.get(), path).status());
  const Status locked = lock_descriptor(fd.get(), LockMode::kShared, path);
  if (locked.code() == StatusCode::kBusy) {
    return Status(StatusCode::kNotFound, path + ": being removed");
  }
  BATON_RETURN_IF_ERROR(locked);
  // Under the lock the reaper keeps its hands off: what has a name now keeps it.
  BATON_ASSIGN_OR_RETURN(const struct stat info, checked_stat(fd.get(), path));
  const auto bytes = static_cast<std::size_t>(info.st_size);
  if (bytes < kPageBytes || (expected_bytes != 0 && bytes != expected_bytes)) {
    return Status(StatusCode::kCorrupt,
                  path + ": " + std::to_string(bytes) + " bytes, expected " +
                      std::to_string(expected_bytes != 0 ? expected_bytes : kPageBytes));
  }
  BATON_ASSIGN_OR_RETURN(MemoryMapping mapping, MemoryMapping::map(fd.get(), bytes, access));
  return Segment(std::move(fd), std::move(mapping), name);
}

Status Segment::remove_name(const std::string& directory) const {
  const std::string path = directory + "/" + name_;
  struct stat ours {};
  struct stat named {};
  if (::fstat(fd_.get(), &ours) != 0) {
    return errno_status(path, errno);
  }
  if (::lstat(path.c_str(), &named) != 0) {
    return errno == ENOENT ? Status::ok() : errno_status(path, errno);
  }
  if (named.st_dev == ours.st_dev && named.st_ino == ours.st_ino && ::unlink(path.c_str()) != 0) {
    return errno_status(path, errno);
  }
  return Status::ok();
}

}  // namespace baton
