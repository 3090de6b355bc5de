#include "coordinator/preflight.hpp"

#include <sys/resource.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "shared/contract/ledger.hpp"
#include "shared/support/concat.hpp"
#include "shared/support/posix.hpp"

namespace baton {

namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;
/// The ledger and the smallest slot.
constexpr std::uint64_t kLeastShared = sizeof(Ledger) + 4 * kPageBytes;
/// Sockets, pidfds and segments of a small service.
constexpr std::uint64_t kLeastFiles = 256;

/// /proc/meminfo: "MemAvailable:   123 kB".
std::uint64_t available_memory() {
  const Result<std::string> text = read_small_file("/proc/meminfo", 64u << 10);
  constexpr std::string_view kField = "MemAvailable:";
  const std::size_t at = text.is_ok() ? text->find(kField) : std::string::npos;
  if (at == std::string::npos) {
    return 0;
  }
  const std::size_t digits = text->find_first_of("0123456789", at);
  std::uint64_t kilobytes = 0;
  std::from_chars(text->data() + digits, text->data() + text->size(), kilobytes);
  return kilobytes * 1024;
}

std::string megabytes(std::uint64_t bytes) {
  return concat(bytes / kMegabyte, " MiB");
}

}  // namespace

Status PreflightReport::verdict() const {
  for (const PreflightFinding& finding : findings) {
    if (finding.fatal) {
      return {StatusCode::kNoSpace,
              concat(finding.what, ": need ", finding.need, ", have ", finding.have, "; ", finding.cure)};
    }
  }
  return Status::ok();
}

Result<SystemLimits> read_system() {
  struct statvfs shm {};
  if (::statvfs("/dev/shm", &shm) != 0) {
    return errno_status("/dev/shm", errno);
  }
  struct rlimit files {};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) {
    return errno_status("limit of open files", errno);
  }
  return SystemLimits{std::uint64_t{shm.f_bavail} * shm.f_frsize, std::uint64_t{shm.f_blocks} * shm.f_frsize,
                      available_memory(), files.rlim_cur};
}

Status raise_open_files() {
  struct rlimit files {};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) {
    return errno_status("limit of open files", errno);
  }
  files.rlim_cur = files.rlim_max;
  return ::setrlimit(RLIMIT_NOFILE, &files) == 0 ? Status::ok() : errno_status("limit of open files", errno);
}

PreflightReport check_limits(const SystemLimits& system, std::uint64_t wanted_memory) {
  PreflightReport report;
  const std::uint64_t free = std::min(system.shm_free, system.memory_available);
  report.memory_budget = wanted_memory != 0 ? wanted_memory : free / 2;
  const std::uint64_t need = sizeof(Ledger) + std::max(wanted_memory, 4 * kPageBytes);
  PreflightFinding shared{
      "shared memory in /dev/shm", concat(need, " bytes"), concat(system.shm_free, " bytes"), {}};
  if (system.shm_free < std::max(need, kLeastShared)) {
    shared.fatal = true;
    shared.cure = concat("enlarge it (docker: --shm-size; else mount -o remount,size=... /dev/shm, now ",
                         megabytes(system.shm_size), ") or ask for less with --memory");
  }
  report.findings.push_back(std::move(shared));
  PreflightFinding memory{"memory", megabytes(report.memory_budget), megabytes(system.memory_available), {}};
  if (system.memory_available < report.memory_budget) {
    memory.cure = "ask for less with --memory, or slots may push others out";
  }
  report.findings.push_back(std::move(memory));
  PreflightFinding files{"open files", concat(kLeastFiles), concat(system.open_files), {}};
  if (system.open_files < kLeastFiles) {
    files.cure = concat("raise the limit (ulimit -n ", kLeastFiles, ")");
    files.fatal = true;
  }
  report.findings.push_back(std::move(files));
  return report;
}

}  // namespace baton
