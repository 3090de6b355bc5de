#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuda/device/arena.hpp"
#include "cuda/msm/digits.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// One thread's work: the sum of `length` consecutive items from `begin` on.
struct MsmTask {
  std::uint32_t begin;
  std::uint32_t length;
  std::uint32_t destination;  ///< a bucket; with kPartial, a place among the next level's items
  std::uint32_t unused;

  static constexpr std::uint32_t kPartial = 0x80000000U;
};

/// The tasks of one level, in device memory. Items of level 0 are entries, those of level l + 1 the partial
/// sums that level l leaves where a bucket had more than one task.
struct TaskLevel {
  const MsmTask* tasks = nullptr;
  const std::uint32_t* total = nullptr;  ///< how many tasks there are
  std::uint32_t* cursor = nullptr;       ///< zero: the next task to take
  std::uint32_t task_capacity = 0;
  std::uint32_t partial_capacity = 0;  ///< of the items this level may leave to the next
};

/// Cuts every bucket into tasks of bounded length, so that the longest bucket costs no more time than its
/// share of the additions. Sizes are planned; counts stay on the device.
class TaskPlan {
 public:
  /// `first_length`: entries a task; `next_length`: partial sums a task in all later levels.
  static Result<TaskPlan> plan(std::uint32_t buckets, std::uint32_t capacity, std::uint32_t first_length,
                               std::uint32_t next_length);

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::size_t levels() const noexcept { return levels_.size(); }
  /// The most partial sums that any level leaves.
  [[nodiscard]] std::uint32_t partial_capacity() const noexcept { return levels_.front().partials; }

  /// Makes the tasks of all levels for buckets that begin at offsets[0..buckets]. Longer tasks come first.
  Result<std::vector<TaskLevel>> run(const std::uint32_t* offsets, ArenaView& arena,
                                     cudaStream_t stream) const;

 private:
  struct Level {
    std::uint32_t length;    ///< items a task at most
    std::uint32_t tasks;     ///< at most
    std::uint32_t partials;  ///< left to the next level at most
  };

  TaskPlan() = default;

  std::uint32_t buckets_ = 0;
  std::vector<Level> levels_;
  std::size_t scan_bytes_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace baton
