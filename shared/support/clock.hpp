#pragma once

#include <chrono>
#include <cstdint>

namespace baton {

/// Monotonic time; what deadlines and timers are counted in.
using Instant = std::chrono::steady_clock::time_point;
using Milliseconds = std::chrono::milliseconds;

inline Instant now() noexcept {
  return std::chrono::steady_clock::now();
}

/// Milliseconds since the epoch, for journals and people. May jump.
inline std::int64_t unix_milliseconds() noexcept {
  return std::chrono::duration_cast<Milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// Measures from its construction or its last restart.
class Stopwatch {
 public:
  [[nodiscard]] double milliseconds() const noexcept {
    return std::chrono::duration<double, std::milli>(now() - start_).count();
  }
  void restart() noexcept { start_ = now(); }

 private:
  Instant start_ = now();
};

}  // namespace baton
