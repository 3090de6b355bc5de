#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

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

/// The tasks of one level, in device memory; longer ones come first.
struct TaskLevel {
  const MsmTask* tasks = nullptr;
  const std::uint32_t* total = nullptr;  ///< how many tasks there are
  std::uint32_t* cursor = nullptr;       ///< zero: the next task to take
  std::uint32_t task_capacity = 0;
  std::uint32_t partial_capacity = 0;  ///< of the items this level may leave to the next
};

/// Everything that the buckets of one source ask for. Items of `entries` are digits; of `partials` the
/// partial sums of buckets with several entry tasks; of `huge` (one task a bucket, of any length, for a whole
/// block) what the partial tasks of one bucket left.
struct TaskSet {
  TaskLevel entries;
  TaskLevel partials;
  TaskLevel huge;
};

/// Cuts every bucket into tasks of bounded length, so that the longest bucket costs no more time than its
/// share of the additions. Sizes are planned; counts and the length of entry tasks stay on the device: about
/// twice the mean bucket, so that most buckets are one task, between 16 and 256, and shorter while there are
/// few.
class TaskPlan {
 public:
  static constexpr std::uint32_t kPartialsPerTask = 16;

  static Result<TaskPlan> plan(std::uint32_t buckets, std::uint32_t capacity);

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::uint32_t partial_capacity() const noexcept { return entry_partials_; }
  [[nodiscard]] std::uint32_t huge_partial_capacity() const noexcept { return second_partials_; }

  /// Makes all tasks for buckets that begin at offsets[0..buckets].
  Result<TaskSet> run(const std::uint32_t* offsets, ArenaView& arena, cudaStream_t stream) const;

 private:
  TaskPlan() = default;

  std::uint32_t buckets_ = 0;
  std::uint32_t entry_tasks_ = 0;
  std::uint32_t entry_partials_ = 0;
  std::uint32_t second_tasks_ = 0;
  std::uint32_t second_partials_ = 0;
  std::uint32_t huge_tasks_ = 0;
  std::size_t scan_bytes_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace baton
