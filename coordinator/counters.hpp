#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace baton {

/// What the coordinator counts for `status` and tests.
enum class Counter : std::uint8_t {
  kJobsAccepted,
  kJobsDone,
  kJobsFailed,
  kJobsCancelled,
  kBusy,
  kFills,
  kProves,
  kPreparations,
  kRetries,
  kWorkerDeaths,
  kKills,
  kQuarantines,
  kReclaimedUploads,
  kPreemptions,
  kLostGrants,
  kStaleMessages,
  kUnknownPeers,
  kBadFrames,
  kIgnoredEvents,
  kSendFailures,
};
inline constexpr std::size_t kCounterCount = 20;

inline constexpr std::array<std::string_view, kCounterCount> kCounterNames = {
    "jobs_accepted", "jobs_done",     "jobs_failed",  "jobs_cancelled", "busy",
    "fills",         "proves",        "preparations", "retries",        "worker_deaths",
    "kills",         "quarantines",   "reclaimed",    "preemptions",    "lost_grants",
    "stale",         "unknown_peers", "bad_frames",   "ignored_events", "send_failures"};

class Counters {
 public:
  void add(Counter counter, std::uint64_t n = 1) noexcept { values_[static_cast<std::size_t>(counter)] += n; }
  [[nodiscard]] std::uint64_t at(Counter counter) const noexcept {
    return values_[static_cast<std::size_t>(counter)];
  }

 private:
  std::array<std::uint64_t, kCounterCount> values_{};
};

}  // namespace baton
