#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "shared/support/clock.hpp"

namespace baton::bench {

/// Reads the first GPU's utilisation ten times a second, as the driver counts it: the share of a period of
/// its own in which a kernel ran. Where there is no NVML it reads nothing.
class NvmlSampler {
 public:
  NvmlSampler();
  NvmlSampler(const NvmlSampler&) = delete;
  NvmlSampler& operator=(const NvmlSampler&) = delete;
  ~NvmlSampler();

  /// The mean in percent of the readings between two moments; nothing when there are none.
  [[nodiscard]] std::optional<double> mean(Instant from, Instant to) const;

 private:
  struct Reading {
    Instant at;
    double percent;
  };
  void sample();

  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  std::vector<Reading> readings_;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace baton::bench
