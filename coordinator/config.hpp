#pragma once

#include <cstdint>
#include <string>

#include "shared/contract/lease.hpp"
#include "shared/contract/ledger.hpp"
#include "shared/support/clock.hpp"

namespace baton {

/// What the brain of a coordinator must know and never changes while it runs.
struct CoordinatorConfig {
  SessionId session = 0;
  Incarnation incarnation = 1;
  std::uint32_t pid = 0;
  std::uint64_t start_time = 0;
  std::string shm_directory;
  std::string cache_directory;
  std::string version;

  std::uint64_t memory_budget = std::uint64_t{1} << 30;  ///< bytes of all slots together
  std::uint32_t slots_per_class = 0;                     ///< 0: follows the workers present
  std::uint32_t queue_limit = 10000;                     ///< jobs accepted and not ended
  std::uint32_t circuit_limit = 1024;
  std::uint32_t retained_jobs = 1024;  ///< ended jobs kept in memory

  std::uint32_t max_failures = 6;  ///< failed attempts of one job, of all kinds
  std::uint32_t max_strikes = 3;   ///< deaths of a process that had only this job aboard
  Milliseconds fill_deadline{600'000};
  Milliseconds prove_deadline{600'000};
  Milliseconds prepare_deadline{1'800'000};
  Milliseconds cancel_grace{2'000};
  Milliseconds backoff_base{50};
  Milliseconds backoff_limit{5'000};
  Milliseconds busy_retry{250};
};

}  // namespace baton
