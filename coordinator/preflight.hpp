#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shared/support/result.hpp"

namespace baton {

/// One thing that was looked at before the start.
struct PreflightFinding {
  std::string what;  ///< "shared memory", "open files" ...
  std::string need;
  std::string have;
  std::string cure;  ///< empty: all is well
  bool fatal = false;
};

struct PreflightReport {
  std::vector<PreflightFinding> findings;
  std::uint64_t memory_budget = 0;  ///< for all slots

  /// kNoSpace or kLimit naming need, have and cure of the first fatal finding.
  [[nodiscard]] Status verdict() const;
};

/// What the checks go by; filled from the system by `read_system`.
struct SystemLimits {
  std::uint64_t shm_free = 0;
  std::uint64_t shm_size = 0;
  std::uint64_t memory_available = 0;
  std::uint64_t open_files = 0;
};

Result<SystemLimits> read_system();

/// Raises the soft limit of open files to the hard one.
Status raise_open_files();

/// Pure. `wanted_memory` 0: half of what is free on /dev/shm.
[[nodiscard]] PreflightReport check_limits(const SystemLimits& system, std::uint64_t wanted_memory);

}  // namespace baton
