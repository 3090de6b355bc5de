#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace baton::bench {

/// Threads that allocate, touch and free blocks of 64 KiB to 32 MiB and call malloc_trim, until it is
/// destroyed: what a process does that synthesises circuits beside other work.
class AllocationStorm {
 public:
  explicit AllocationStorm(unsigned threads);
  AllocationStorm(const AllocationStorm&) = delete;
  AllocationStorm& operator=(const AllocationStorm&) = delete;
  ~AllocationStorm();

 private:
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> threads_;
};

/// Storms until the process is killed.
[[noreturn]] void storm_for_ever(unsigned threads);

}  // namespace baton::bench
