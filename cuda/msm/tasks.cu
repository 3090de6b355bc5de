#include <cub/device/device_scan.cuh>

#include <algorithm>

#include "cuda/device/cuda_status.hpp"
#include "cuda/msm/tasks.hpp"

namespace baton {

namespace {

constexpr unsigned kBlock = 256;
/// Tasks are ordered by length within this many classes.
constexpr unsigned kLengthClasses = 512;

/// Offsets of a level: plain words (level 0), or the low words of the scanned counts of the level before.
struct Offsets {
  const std::uint32_t* base;
  unsigned stride;
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
    count_tasks(Offsets offsets, std::uint32_t buckets, std::uint32_t length, std::uint64_t* counts,
                std::uint32_t* length_counts) {
  __shared__ std::uint32_t histogram[kLengthClasses + 1];
  for (unsigned i = threadIdx.x; i <= kLengthClasses; i += kBlock) {
    histogram[i] = 0;
  }
  __syncthreads();
  const std::uint32_t bucket = blockIdx.x * kBlock + threadIdx.x;
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

__global__ void __launch_bounds__(kBlock)
    make_tasks(Offsets offsets, std::uint32_t buckets, std::uint32_t length, const std::uint64_t* scanned,
               const std::uint32_t* total, std::uint32_t* length_places, MsmTask* tasks) {
  __shared__ std::uint32_t histogram[kLengthClasses + 1];
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
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i <= kLengthClasses; i += kBlock) {
      if (histogram[i] != 0) {
        histogram[i] = atomicAdd(&length_places[i], histogram[i]);
      }
    }
    __syncthreads();
    if (id < count) {
      tasks[histogram[task.length] + rank] = task;
    }
    __syncthreads();
  }
}

std::uint32_t divided_up(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint32_t>((a + b - 1) / b);
}

}  // namespace

Result<TaskPlan> TaskPlan::plan(std::uint32_t buckets, std::uint32_t capacity, std::uint32_t first_length,
                                std::uint32_t next_length) {
  if (first_length < 2 || next_length < 4 || first_length > kLengthClasses || next_length > kLengthClasses) {
    return internal_error("tasks: lengths out of range");
  }
  TaskPlan plan;
  plan.buckets_ = buckets;
  std::uint64_t longest = capacity;
  std::uint64_t items = capacity;
  std::uint64_t filled = std::min<std::uint64_t>(buckets, capacity);
  for (std::uint32_t length = first_length;; length = next_length) {
    // A bucket of n items has at most n / length + 1 tasks; one of several tasks has more than `length`
    // items, so fewer than 2 n / length tasks.
    const std::uint64_t tasks = items / length + filled;
    const std::uint64_t partials = longest > length ? std::min(tasks, 2 * items / length + 1) : 0;
    plan.levels_.push_back({length, static_cast<std::uint32_t>(std::min<std::uint64_t>(tasks, 0xffffffffU)),
                            static_cast<std::uint32_t>(partials)});
    if (partials == 0) {
      break;
    }
    longest = divided_up(longest, length);
    items = partials;
    filled = std::min<std::uint64_t>(buckets, partials / 2 + 1);
  }
  BATON_RETURN_IF_ERROR(cuda_status(
      cub::DeviceScan::ExclusiveSum(nullptr, plan.scan_bytes_, static_cast<std::uint64_t*>(nullptr),
                                    static_cast<std::uint64_t*>(nullptr), buckets + 1),
      "size of a scan"));
  ArenaView count;
  for (const Level& level : plan.levels_) {
    count.take<MsmTask>(level.tasks);
    count.take<std::uint64_t>(std::size_t{buckets} + 1);
    count.take<std::uint32_t>(kLengthClasses + 3);
  }
  count.take<std::uint64_t>(std::size_t{buckets} + 1);
  count.take<std::byte>(plan.scan_bytes_);
  plan.bytes_ = count.used();
  return plan;
}

Result<std::vector<TaskLevel>> TaskPlan::run(const std::uint32_t* offsets, ArenaView& arena,
                                             cudaStream_t stream) const {
  auto* counts = arena.take<std::uint64_t>(std::size_t{buckets_} + 1);
  auto* scratch = arena.take<std::byte>(scan_bytes_);
  std::vector<TaskLevel> result;
  Offsets from{offsets, 1};
  for (const Level& level : levels_) {
    auto* tasks = arena.take<MsmTask>(level.tasks);
    auto* scanned = arena.take<std::uint64_t>(std::size_t{buckets_} + 1);
    auto* lengths = arena.take<std::uint32_t>(kLengthClasses + 3);
    if (arena.overflowed()) {
      return internal_error("tasks: the arena is smaller than planned");
    }
    std::uint32_t* total = lengths + kLengthClasses + 1;
    std::uint32_t* cursor = total + 1;
    BATON_RETURN_IF_ERROR(
        cuda_status(cudaMemsetAsync(lengths, 0, (kLengthClasses + 3) * 4, stream), "tasks: clear"));
    count_tasks<<<divided_up(buckets_ + 1ULL, kBlock), kBlock, 0, stream>>>(from, buckets_, level.length,
                                                                            counts, lengths);
    place_lengths<<<1, kLengthClasses, 0, stream>>>(lengths, total);
    std::size_t scan_bytes = scan_bytes_;
    BATON_RETURN_IF_ERROR(
        cuda_status(cub::DeviceScan::ExclusiveSum(scratch, scan_bytes, counts, scanned, buckets_ + 1, stream),
                    "tasks: scan"));
    const std::uint32_t blocks = std::clamp<std::uint32_t>(divided_up(level.tasks, kBlock), 1, 2048);
    make_tasks<<<blocks, kBlock, 0, stream>>>(from, buckets_, level.length, scanned, total, lengths, tasks);
    BATON_RETURN_IF_ERROR(last_cuda_status("tasks"));
    result.push_back({tasks, total, cursor, level.tasks, level.partials});
    from = {reinterpret_cast<const std::uint32_t*>(scanned), 2};
  }
  return result;
}

}  // namespace baton
