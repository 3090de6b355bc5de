#include "shared/segments/segment_reaper.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "shared/support/fault_point.hpp"
#include "shared/support/posix.hpp"

namespace baton {

namespace {

/// Names first, so that removing does not disturb the listing.
Result<std::vector<std::string>> list_names(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (auto entry = std::filesystem::directory_iterator(directory, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return errno_status(directory, error.value());
  }
  return names;
}

bool is_ours(const struct stat& info) {
  return S_ISREG(info.st_mode) && info.st_uid == ::geteuid();
}

/// Handles one name; a name that vanishes meanwhile is nobody's fault.
Status reap_one(const std::string& directory, const std::string& name, ReapReport& report) {
  const std::string path = directory + "/" + name;
  const auto fd = open_file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  struct stat opened {};
  if (!fd.is_ok() || ::fstat(fd->get(), &opened) != 0 || !is_ours(opened)) {
    report.refused.push_back(name);
    return Status::ok();
  }
  const Status locked = lock_descriptor(fd->get(), LockMode::kExclusive, path);
  if (locked.code() == StatusCode::kBusy) {
    report.in_use.push_back(name);
    return Status::ok();
  }
  BATON_RETURN_IF_ERROR(locked);
  BATON_RETURN_IF_ERROR(fault_status("reaper.before_unlink"));
  struct stat named {};
  if (::lstat(path.c_str(), &named) != 0 || named.st_dev != opened.st_dev || named.st_ino != opened.st_ino) {
    report.in_use.push_back(name);
    return Status::ok();
  }
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
    return errno_status(path, errno);
  }
  report.removed.push_back(name);
  report.freed_bytes += static_cast<std::uint64_t>(opened.st_blocks) * 512;
  return Status::ok();
}

}  // namespace

Result<ReapReport> reap_segments(const FileLock& /*run_lock*/, const std::string& directory) {
  ReapReport report;
  BATON_ASSIGN_OR_RETURN(const std::vector<std::string> names, list_names(directory));
  for (const std::string& name : names) {
    BATON_RETURN_IF_ERROR(reap_one(directory, name, report));
  }
  if (report.in_use.empty() && report.refused.empty() && ::rmdir(directory.c_str()) != 0 && errno != ENOENT &&
      errno != ENOTEMPTY) {
    return errno_status(directory, errno);
  }
  return report;
}

}  // namespace baton
