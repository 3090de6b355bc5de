#pragma once

#include "cuda/msm/memory.cuh"
#include "cuda/msm/point.cuh"
#include "cuda/msm/tasks.hpp"

namespace baton::device {

inline constexpr unsigned kSumBlock = 128;

/// Blocks of kSumBlock a multiprocessor that leave a thread the registers its accumulator needs.
template <class F>
inline constexpr unsigned kSumBlocks = sizeof(F) <= 32 ? 4 : (sizeof(F) <= 64 ? 3 : 2);

/// Where the sums of tasks go, and what a bucket may hold already.
template <class F>
struct SumTarget {
  Xyzz<F>* buckets;
  Xyzz<F>* partials;  ///< read by the next level
  const std::uint32_t*
      previous;  ///< offsets of the source before this one, or null: its buckets are added to

  __device__ __forceinline__ bool occupied(const MsmTask& task) const {
    return previous != nullptr && (task.destination & MsmTask::kPartial) == 0 &&
           previous[task.destination] != previous[task.destination + 1];
  }

  __device__ __forceinline__ Xyzz<F>* place(const MsmTask& task) const {
    return (task.destination & MsmTask::kPartial) != 0 ? partials + (task.destination & ~MsmTask::kPartial)
                                                       : buckets + task.destination;
  }
};

/// Takes the next 32 tasks for a warp; false when none is left. Tasks of a warp are of nearly equal length.
__device__ __forceinline__ bool take_tasks(const TaskLevel& level, std::uint32_t total, std::uint32_t& id) {
  std::uint32_t first = 0;
  if (threadIdx.x % 32 == 0) {
    first = atomicAdd(level.cursor, 32);
  }
  first = __shfl_sync(0xffffffffU, first, 0);
  id = first + threadIdx.x % 32;
  return first < total;
}

/// Sums entries of the buckets: one thread a task, mixed additions from the table.
template <class F>
__global__ void __launch_bounds__(kSumBlock, kSumBlocks<F>)
    sum_entries(TaskLevel level, const std::uint32_t* __restrict__ entries, unsigned index_bits,
                const Affine<F>* __restrict__ table, std::uint32_t table_points, SumTarget<F> target) {
  const std::uint32_t total = *level.total;
  const std::uint32_t index_mask = (1U << index_bits) - 1;
  std::uint32_t id = 0;
  while (take_tasks(level, total, id)) {
    if (id >= total) {
      continue;
    }
    const MsmTask task = level.tasks[id];
    Xyzz<F> sum = target.occupied(task) ? *target.place(task) : Xyzz<F>::infinity();
    const std::uint32_t* next = entries + task.begin;
    std::uint32_t entry = __ldg(next);
#pragma unroll 1
    for (std::uint32_t left = task.length; left > 0; --left) {
      const std::size_t point =
          static_cast<std::size_t>((entry & 0x7fffffffU) >> index_bits) * table_points + (entry & index_mask);
      Affine<F> p = load_constant(table + point);
      p.y = p.y.negated_if((entry >> 31) != 0);
      if (left > 1) {
        entry = __ldg(++next);
      }
      if (sum.is_infinity()) {
        sum = {p.x, p.y, F::one(), F::one()};
      } else {
        add_affine_unchecked(sum, p);
      }
    }
    *target.place(task) = sum;
  }
}

/// Sums the partial sums that the entry tasks left: one thread a task.
template <class F>
__global__ void __launch_bounds__(kSumBlock)
    sum_partials(TaskLevel level, const Xyzz<F>* items, SumTarget<F> target) {
  const std::uint32_t total = *level.total;
  std::uint32_t id = 0;
  while (take_tasks(level, total, id)) {
    if (id >= total) {
      continue;
    }
    const MsmTask task = level.tasks[id];
    Xyzz<F> sum = target.occupied(task) ? *target.place(task) : Xyzz<F>::infinity();
#pragma unroll 1
    for (std::uint32_t i = 0; i < task.length; ++i) {
      add_in_loop(sum, items[task.begin + i]);
    }
    *target.place(task) = sum;
  }
}

inline constexpr unsigned kHugeBlock = 128;

/// Sums what the partial tasks of the fullest buckets left: a block a bucket, by stripes and a tree.
template <class F>
__global__ void __launch_bounds__(kHugeBlock)
    sum_huge(TaskLevel level, const Xyzz<F>* items, SumTarget<F> target) {
  extern __shared__ uint4 shared_memory[];
  auto* sums = reinterpret_cast<Xyzz<F>*>(shared_memory);
  const std::uint32_t total = *level.total;
  for (std::uint32_t id = blockIdx.x; id < total; id += gridDim.x) {
    const MsmTask task = level.tasks[id];
    Xyzz<F> sum = threadIdx.x == 0 && target.occupied(task) ? *target.place(task) : Xyzz<F>::infinity();
#pragma unroll 1
    for (std::uint32_t i = threadIdx.x; i < task.length; i += kHugeBlock) {
      add(sum, items[task.begin + i]);
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
#pragma unroll 1
    for (unsigned half = kHugeBlock / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) {
        add(sum, sums[threadIdx.x + half]);
        sums[threadIdx.x] = sum;
      }
      __syncthreads();
    }
    if (threadIdx.x == 0) {
      *target.place(task) = sum;
    }
    __syncthreads();
  }
}

}  // namespace baton::device
