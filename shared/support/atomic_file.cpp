#include "shared/support/atomic_file.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "shared/support/posix.hpp"

namespace baton {

namespace {

constexpr int kAttempts = 16;
constexpr mode_t kMode = 0666;  // the umask takes its part

std::string directory_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) {
    return ".";
  }
  return slash == 0 ? "/" : path.substr(0, slash);
}

Status check_target(const std::string& path) {
  if (path.empty() || path.back() == '/') {
    return invalid_input(path + ": not a file name");
  }
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    return invalid_input(path + ": exists and is not a regular file");
  }
  return {};
}

Result<std::string> temporary_name() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number)) {
    return errno_status("getrandom", errno);
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), ".baton-%016" PRIx64 ".tmp", number);
  return std::string(text.data());
}

Status sync_descriptor(int fd, const std::string& name) {
  int result = ::fsync(fd);
  while (result != 0 && errno == EINTR) {
    result = ::fsync(fd);
  }
  return result == 0 ? Status::ok() : errno_status(name, errno);
}

}  // namespace

AtomicFile::AtomicFile(std::string path, std::string temporary, UniqueFd fd, UniqueFd directory) noexcept
    : path_(std::move(path)),
      temporary_(std::move(temporary)),
      fd_(std::move(fd)),
      directory_(std::move(directory)) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::move(other.fd_)),
      directory_(std::move(other.directory_)) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this != &other) {
    discard();
    path_ = std::move(other.path_);
    temporary_ = std::exchange(other.temporary_, {});
    fd_ = std::move(other.fd_);
    directory_ = std::move(other.directory_);
  }
  return *this;
}

AtomicFile::~AtomicFile() {
  discard();
}

void AtomicFile::discard() noexcept {
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
    temporary_.clear();
  }
}

Result<AtomicFile> AtomicFile::create(std::string path) {
  BATON_RETURN_IF_ERROR(check_target(path));
  const std::string directory_path = directory_of(path);
  auto directory = open_file(directory_path, O_RDONLY | O_DIRECTORY);
  if (!directory) {
    return std::move(directory).status().with_context(path);
  }
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    BATON_ASSIGN_OR_RETURN(const std::string name, temporary_name());
    std::string temporary = directory_path + "/" + name;
    auto fd = open_file(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, kMode);
    if (fd) {
      return AtomicFile(std::move(path), std::move(temporary), *std::move(fd), *std::move(directory));
    }
    if (fd.status().code() != StatusCode::kExists) {
      return std::move(fd).status().with_context(path);
    }
  }
  return Status(StatusCode::kExists, path + ": no free temporary name beside it");
}

Status AtomicFile::append(std::span<const std::byte> bytes) {
  return write_all(fd_.get(), bytes, path_);
}

Status AtomicFile::append(std::string_view text) {
  return append(std::as_bytes(std::span(text.data(), text.size())));
}

Status AtomicFile::sync() {
  return sync_descriptor(fd_.get(), path_);
}

Status AtomicFile::commit() {
  BATON_RETURN_IF_ERROR(sync());
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    return errno_status(path_, errno);
  }
  temporary_.clear();
  fd_.reset();
  return sync_descriptor(directory_.get(), path_);
}

Status write_file_atomically(const std::string& path, std::string_view text) {
  BATON_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::create(path));
  BATON_RETURN_IF_ERROR(file.append(text));
  return file.commit();
}

}  // namespace baton
