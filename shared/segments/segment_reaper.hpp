#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shared/support/file_lock.hpp"
#include "shared/support/result.hpp"

namespace baton {

struct ReapReport {
  std::vector<std::string> removed;  ///< names of segments that nobody used
  std::vector<std::string> in_use;   ///< names that somebody still maps
  std::vector<std::string> refused;  ///< entries that are no segment of ours; left alone
  std::uint64_t freed_bytes = 0;
};

/// Removes the segments in `directory` (one run directory's own, below /dev/shm) that no process maps, and
/// the directory when it is empty then. A file is an orphan exactly when an exclusive flock on it succeeds;
/// its name goes only while it still points at that file. `run_lock` shows that the caller owns the run
/// directory: nobody can create segments there meanwhile. No directory is an empty report.
Result<ReapReport> reap_segments(const FileLock& run_lock, const std::string& directory);

}  // namespace baton
