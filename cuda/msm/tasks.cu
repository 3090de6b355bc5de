#include <cub/device/device_scan.cuh>

#include <algorithm>

#include "cuda/device/cuda_status.hpp"
#include "cuda/msm/tasks.hpp"

namespace baton {

namespace {

constexpr unsigned kBlock = 256;
/// Tasks are ordered by length: the longest has this many entries.
constexpr unsigned kLengthClasses = 256;
constexpr std::uint32_t kShortest = 16;
/// Tasks that keep a large device busy to the end: no longer tasks while there are not so many.
constexpr unsigned kLogWantedTasks = 17;

/// Entries a task for this many entries in all: at least twice the mean of a bucket where that leaves enough
/// tasks.
__host__ __device__ std::uint32_t entry_task_length(std::uint32_t entries, std::uint32_t buckets) {
  std::uint32_t length = kShortest;
  while (length < kLengthClasses && length < 2 * static_cast<std::uint64_t>(entries) / buckets &&
         2 * length <= entries >> kLogWantedTasks) {
    length *= 2;
  }
  return length;
}

/// Offsets of a level: plain words (entries), or the low words of the scanned counts of the level before.
struct Offsets {
  const std::uint32_t* base;
  unsigned stride;
  std::uint32_t buckets;
  std::uint32_t fixed_length;  ///< 0: from the number of items

  __device__ std::uint32_t task_length() const {
    return fixed_length != 0 ? fixed_length : entry_task_length((*this)[buckets], buckets);
  }
  __device__ std::uint32_t operator[](std::uint32_t bucket) const {
    return base[static_cast<std::size_t>(bucket) * stride];
  }
};

constexpr std::uint64_t pack(std::uint64_t tasks) {
  return (tasks << 32) | (tasks > 1 ? tasks : 0);
}

/// Tasks of each bucket (high word) and partial sums it will leave (low word), and how many tasks have each
/// length.
__global__ void __launch_bounds__(kBlock)
    count_tasks(Offsets offsets, std::uint64_t* counts, std::uint32_t* length_counts) {
  __shared__ std::uint32_t histogram[kLengthClasses + 1];
  for (unsigned i = threadIdx.x; i <= kLengthClasses; i += kBlock) {
    histogram[i] = 0;
  }
  __syncthreads();
  const std::uint32_t bucket = blockIdx.x * kBlock + threadIdx.x;
  const std::uint32_t buckets = offsets.buckets;
  const std::uint32_t length = offsets.task_length();
  if (bucket <= buckets) {
    const std::uint32_t items = bucket < buckets ? offsets[bucket + 1] - offsets[bucket] : 0;
    const std::uint32_t full = items / length;
    const std::uint32_t rest = items % length;
    counts[bucket] = pack(full + (rest != 0 ? 1 : 0));
    if (full != 0) {
      atomicAdd(&histogram[length], full);
    }
    if (rest != 0) {
      atomicAdd(&histogram[rest], 1);
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i <= kLengthClasses; i += kBlock) {
    if (histogram[i] != 0) {
      atomicAdd(&length_counts[i], histogram[i]);
    }
  }
}

/// Turns the counts into the first place of each length, the longest first; writes the total.
__global__ void __launch_bounds__(kLengthClasses)
    place_lengths(std::uint32_t* length_counts, std::uint32_t* total) {
  __shared__ std::uint32_t sums[kLengthClasses];
  const unsigned length = kLengthClasses - threadIdx.x;
  const std::uint32_t own = length_counts[length];
  sums[threadIdx.x] = own;
  __syncthreads();
  for (unsigned step = 1; step < kLengthClasses; step *= 2) {
    const std::uint32_t before = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
  length_counts[length] = sums[threadIdx.x] - own;
  if (threadIdx.x == kLengthClasses - 1) {
    *total = sums[threadIdx.x];
  }
}

/// The last bucket whose tasks begin at or before `task`: the one that has it.
__device__ std::uint32_t bucket_of(const std::uint64_t* scanned, std::uint32_t buckets, std::uint32_t task) {
  std::uint32_t low = 0;
  std::uint32_t high = buckets;
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (static_cast<std::uint32_t>(scanned[middle] >> 32) <= task) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Where the tasks of a level go, and the list of buckets that need the level after the next.
struct TaskOutput {
  MsmTask* tasks;
  MsmTask* huge;  ///< null: buckets with several tasks are the next level's
  std::uint32_t* huge_total;
};

__global__ void __launch_bounds__(kBlock)
    make_tasks(Offsets offsets, const std::uint64_t* scanned, const std::uint32_t* total,
               std::uint32_t* length_places, TaskOutput out) {
  __shared__ std::uint32_t histogram[kLengthClasses + 1];
  const std::uint32_t buckets = offsets.buckets;
  const std::uint32_t length = offsets.task_length();
  const std::uint32_t count = *total;
  for (std::uint32_t first = blockIdx.x * kBlock; first < count; first += gridDim.x * kBlock) {
    for (unsigned i = threadIdx.x; i <= kLengthClasses; i += kBlock) {
      histogram[i] = 0;
    }
    __syncthreads();
    const std::uint32_t id = first + threadIdx.x;
    MsmTask task{};
    std::uint32_t rank = 0;
    if (id < count) {
      const std::uint32_t bucket = bucket_of(scanned, buckets, id);
      const std::uint64_t here = scanned[bucket];
      const std::uint64_t next = scanned[bucket + 1];
      const std::uint32_t number = id - static_cast<std::uint32_t>(here >> 32);
      const bool only = (next >> 32) - (here >> 32) == 1;
      task.begin = offsets[bucket] + number * length;
      task.length = min(length, offsets[bucket + 1] - task.begin);
      task.destination = only ? bucket : MsmTask::kPartial | (static_cast<std::uint32_t>(here) + number);
      rank = atomicAdd(&histogram[task.length], 1);
      if (out.huge != nullptr && !only && number == 0) {
        const auto tasks_of_bucket = static_cast<std::uint32_t>((next >> 32) - (here >> 32));
        out.huge[atomicAdd(out.huge_total, 1)] = {static_cast<std::uint32_t>(here), tasks_of_bucket, bucket,
                                                  0};
      }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i <= kLengthClasses; i += kBlock) {
      if (histogram[i] != 0) {
        histogram[i] = atomicAdd(&length_places[i], histogram[i]);
      }
    }
    __syncthreads();
    if (id < count) {
      out.tasks[histogram[task.length] + rank] = task;
    }
    __syncthreads();
  }
}

/// Two tables of lengths, three totals, three cursors.
constexpr std::size_t kCounters = 2 * (kLengthClasses + 1) + 6;

std::uint32_t divided_up(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint32_t>((a + b - 1) / b);
}

}  // namespace

Result<TaskPlan> TaskPlan::plan(std::uint32_t buckets, std::uint32_t capacity) {
  TaskPlan plan;
  plan.buckets_ = buckets;
  // A bucket of n items has at most n / length + 1 tasks; one with several has more than `length` items, so
  // fewer than 2 n / length tasks. The length is 256, or at least 2 n / buckets, or more than n / 2^(wanted +
  // 2).
  const std::uint64_t filled = std::min(buckets, capacity);
  const std::uint64_t partials = std::min<std::uint64_t>(
      2ULL * capacity / kShortest, std::max<std::uint64_t>({buckets, std::uint64_t{8} << kLogWantedTasks,
                                                            2ULL * capacity / kLengthClasses}));
  plan.entry_partials_ = static_cast<std::uint32_t>(partials) + 1;
  plan.entry_tasks_ = static_cast<std::uint32_t>(filled + partials) + 1;
  plan.second_partials_ = 2 * plan.entry_partials_ / kPartialsPerTask + 1;
  plan.second_tasks_ = plan.entry_partials_ / 2 + plan.second_partials_ + 1;
  plan.huge_tasks_ = plan.second_partials_ / 2 + 1;
  BATON_RETURN_IF_ERROR(cuda_status(
      cub::DeviceScan::ExclusiveSum(nullptr, plan.scan_bytes_, static_cast<std::uint64_t*>(nullptr),
                                    static_cast<std::uint64_t*>(nullptr), buckets + 1),
      "size of a scan"));
  ArenaView count;
  count.take<std::uint64_t>(std::size_t{buckets} + 1);
  count.take<std::byte>(plan.scan_bytes_);
  count.take<std::uint32_t>(kCounters);
  count.take<MsmTask>(plan.huge_tasks_);
  for (const std::uint32_t tasks : {plan.entry_tasks_, plan.second_tasks_}) {
    count.take<MsmTask>(tasks);
    count.take<std::uint64_t>(std::size_t{buckets} + 1);
  }
  plan.bytes_ = count.used();
  return plan;
}

Result<TaskSet> TaskPlan::run(const std::uint32_t* offsets, ArenaView& arena, cudaStream_t stream) const {
  auto* counts = arena.take<std::uint64_t>(std::size_t{buckets_} + 1);
  auto* scratch = arena.take<std::byte>(scan_bytes_);
  auto* counters = arena.take<std::uint32_t>(kCounters);
  auto* huge = arena.take<MsmTask>(huge_tasks_);
  MsmTask* tasks[2] = {};
  std::uint64_t* scanned[2] = {};
  for (int level = 0; level < 2; ++level) {
    tasks[level] = arena.take<MsmTask>(level == 0 ? entry_tasks_ : second_tasks_);
    scanned[level] = arena.take<std::uint64_t>(std::size_t{buckets_} + 1);
  }
  if (arena.overflowed()) {
    return internal_error("tasks: the arena is smaller than planned");
  }
  BATON_RETURN_IF_ERROR(cuda_status(cudaMemsetAsync(counters, 0, kCounters * 4, stream), "tasks: clear"));
  std::uint32_t* totals = counters + 2 * (kLengthClasses + 1);
  std::uint32_t* cursors = totals + 3;
  Offsets from{offsets, 1, buckets_, 0};
  for (int level = 0; level < 2; ++level) {
    std::uint32_t* lengths = counters + level * (kLengthClasses + 1);
    count_tasks<<<divided_up(buckets_ + 1ULL, kBlock), kBlock, 0, stream>>>(from, counts, lengths);
    place_lengths<<<1, kLengthClasses, 0, stream>>>(lengths, totals + level);
    std::size_t scan_bytes = scan_bytes_;
    BATON_RETURN_IF_ERROR(cuda_status(
        cub::DeviceScan::ExclusiveSum(scratch, scan_bytes, counts, scanned[level], buckets_ + 1, stream),
        "tasks: scan"));
    const std::uint32_t blocks =
        std::clamp<std::uint32_t>(divided_up(level == 0 ? entry_tasks_ : second_tasks_, kBlock), 1, 2048);
    make_tasks<<<blocks, kBlock, 0, stream>>>(from, scanned[level], totals + level, lengths,
                                              {tasks[level], level == 1 ? huge : nullptr, totals + 2});
    BATON_RETURN_IF_ERROR(last_cuda_status("tasks"));
    from = {reinterpret_cast<const std::uint32_t*>(scanned[level]), 2, buckets_, kPartialsPerTask};
  }
  return TaskSet{{tasks[0], totals, cursors, entry_tasks_, entry_partials_},
                 {tasks[1], totals + 1, cursors + 1, second_tasks_, second_partials_},
                 {huge, totals + 2, cursors + 2, huge_tasks_, 0}};
}

}  // namespace baton
