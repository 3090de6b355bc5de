#pragma once

#include <atomic>
#include <cstddef>
#include <limits>

namespace baton {

/// The lowest index at which one of several threads found something wrong. Lock-free.
class FirstFailure {
 public:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  void report(std::size_t index) noexcept {
    std::size_t known = index_.load(std::memory_order_relaxed);
    while (index < known && !index_.compare_exchange_weak(known, index, std::memory_order_relaxed)) {
    }
  }

  /// True when a failure below `index` is known, so that looking further is of no use.
  [[nodiscard]] bool is_before(std::size_t index) const noexcept {
    return index_.load(std::memory_order_relaxed) < index;
  }

  /// kNone when there was none. Call after the threads have joined.
  [[nodiscard]] std::size_t index() const noexcept { return index_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::size_t> index_{kNone};
};

}  // namespace baton
