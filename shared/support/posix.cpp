#include "shared/support/posix.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <cerrno>

namespace baton {

namespace {

/// Repeats a call that was interrupted by a signal.
template <class Call>
auto retry(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) {
    result = call();
  }
  return result;
}

}  // namespace

Result<UniqueFd> open_file(const std::string& path, int flags, mode_t mode) {
  const int fd = retry([&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode); });
  if (fd < 0) {
    return errno_status(path, errno);
  }
  return UniqueFd(fd);
}

Result<UniqueFd> open_regular_file(const std::string& path) {
  BATON_ASSIGN_OR_RETURN(UniqueFd fd, open_file(path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) {
    return errno_status(path, errno);
  }
  if (!S_ISREG(info.st_mode)) {
    return invalid_input(path + ": not a regular file");
  }
  return fd;
}

Result<FileIdentity> file_identity(int fd, std::string_view name) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) {
    return errno_status(name, errno);
  }
  FileIdentity identity;
  identity.device = info.st_dev;
  identity.inode = info.st_ino;
  identity.size = static_cast<std::uint64_t>(info.st_size);
  identity.mtime_ns = std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
  return identity;
}

Status pread_exact(int fd, std::span<std::byte> bytes, std::uint64_t offset, std::string_view name) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = retry([&] {
      return ::pread(fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    });
    if (count < 0) {
      return errno_status(name, errno);
    }
    if (count == 0) {
      return invalid_input(std::string(name) + ": ends at byte " + std::to_string(offset + done) +
                           ", expected " + std::to_string(offset + bytes.size()));
    }
    done += static_cast<std::size_t>(count);
  }
  return Status::ok();
}

Status write_all(int fd, std::span<const std::byte> bytes, std::string_view name) {
  while (!bytes.empty()) {
    const ssize_t count = retry([&] { return ::write(fd, bytes.data(), bytes.size()); });
    if (count < 0) {
      return errno_status(name, errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return Status::ok();
}

Status write_all(int fd, std::string_view text, std::string_view name) {
  return write_all(fd, std::as_bytes(std::span(text.data(), text.size())), name);
}

Result<std::string> read_small_file(const std::string& path, std::size_t limit) {
  BATON_ASSIGN_OR_RETURN(const UniqueFd fd, open_regular_file(path));
  std::string text(limit + 1, '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = retry([&] { return ::read(fd.get(), text.data() + done, text.size() - done); });
    if (count < 0) {
      return errno_status(path, errno);
    }
    if (count == 0) {
      text.resize(done);
      return text;
    }
    done += static_cast<std::size_t>(count);
  }
  return Status(StatusCode::kLimit, path + ": larger than " + std::to_string(limit) + " bytes");
}

Status make_private_directory(const std::string& path, mode_t mode) {
  if (::mkdir(path.c_str(), mode) != 0 && errno != EEXIST) {
    return errno_status(path, errno);
  }
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) {
    return errno_status(path, errno);
  }
  if (!S_ISDIR(info.st_mode)) {
    return {StatusCode::kPermission, path + ": not a directory"};
  }
  if (info.st_uid != ::geteuid()) {
    return {StatusCode::kPermission, path + ": owned by uid " + std::to_string(info.st_uid) + ", expected " +
                                         std::to_string(::geteuid())};
  }
  if ((info.st_mode & 0777U & ~mode) != 0) {
    return {StatusCode::kPermission,
            path + ": others may enter it, expected mode " + (mode == 0700 ? "0700" : "0710")};
  }
  if ((info.st_mode & mode) != mode && ::chmod(path.c_str(), mode) != 0) {
    return errno_status(path, errno);
  }
  return Status::ok();
}

Result<std::uint64_t> free_bytes(const std::string& path) {
  struct statvfs info {};
  if (::statvfs(path.c_str(), &info) != 0) {
    return errno_status(path, errno);
  }
  return std::uint64_t{info.f_bavail} * info.f_frsize;
}

}  // namespace baton
