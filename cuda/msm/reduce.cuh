#pragma once

#include "cuda/msm/memory.cuh"
#include "cuda/msm/point.cuh"

namespace baton::device {

/// Two sums over a stretch of buckets: plain, and weighted by the place within it.
template <class F>
struct WeightedSums {
  Xyzz<F>* plain;
  Xyzz<F>* weighted;
};

inline constexpr unsigned kRunBlock = 64;

/// First step: one thread a run of `run` buckets; weights 1, 2, .. within the run. Buckets that no source
/// has entries for are not read.
template <class F>
__global__ void __launch_bounds__(kRunBlock)
    sum_runs(const Xyzz<F>* buckets, const std::uint32_t* offsets, const std::uint32_t* more_offsets,
             std::uint32_t runs, unsigned run, WeightedSums<F> out) {
  const std::uint32_t id = blockIdx.x * kRunBlock + threadIdx.x;
  if (id >= runs) {
    return;
  }
  Xyzz<F> plain = Xyzz<F>::infinity();
  Xyzz<F> weighted = Xyzz<F>::infinity();
#pragma unroll 1
  for (std::uint32_t left = run; left > 0; --left) {
    const std::uint32_t bucket = id * run + left - 1;
    const bool occupied = offsets[bucket] != offsets[bucket + 1] ||
                          (more_offsets != nullptr && more_offsets[bucket] != more_offsets[bucket + 1]);
    if (occupied) {
      add(plain, buckets[bucket]);
    }
    add(weighted, plain);
  }
  out.plain[id] = plain;
  out.weighted[id] = weighted;
}

/// Elements that one block of fold_sums takes: as many as fit shared memory.
template <class F>
inline constexpr unsigned kFold = sizeof(F) <= 48 ? 256 : 128;

template <class F>
inline constexpr std::size_t kFoldBytes = 2 * kFold<F> * sizeof(Xyzz<F>);

/// Later steps: a block takes kFold neighbouring pairs of one group (`count` a group). The new plain sum is
/// that of the plain ones; the new weighted sum that of the weighted ones plus 2^log_unit * sum of i *
/// plain_i.
template <class F>
__global__ void __launch_bounds__(kFold<F>)
    fold_sums(WeightedSums<F> in, std::uint32_t count, unsigned log_unit, WeightedSums<F> out) {
  extern __shared__ uint4 shared_memory[];
  auto* plain = reinterpret_cast<Xyzz<F>*>(shared_memory);
  auto* weighted = plain + kFold<F>;
  const unsigned tid = threadIdx.x;
  const std::uint32_t place = blockIdx.x * kFold<F> + tid;
  const std::size_t group = static_cast<std::size_t>(blockIdx.y) * count;
  Xyzz<F> sum = Xyzz<F>::infinity();
  Xyzz<F> other = Xyzz<F>::infinity();
  if (place < count) {
    sum = in.plain[group + place];
    other = in.weighted[group + place];
  }
  plain[tid] = sum;
  weighted[tid] = other;
  __syncthreads();
  // plain[i] becomes the sum of all from i on; the sum of those for i > 0 is the sum of i * plain_i.
#pragma unroll 1
  for (unsigned step = 1; step < kFold<F>; step *= 2) {
    const bool adds = tid + step < kFold<F>;
    if (adds) {
      other = plain[tid + step];
    }
    __syncthreads();
    if (adds) {
      add(sum, other);
      plain[tid] = sum;
    }
    __syncthreads();
  }
  const std::size_t result = static_cast<std::size_t>(blockIdx.y) * gridDim.x + blockIdx.x;
  if (tid == 0) {
    out.plain[result] = sum;
    plain[0] = Xyzz<F>::infinity();
  }
  __syncthreads();
  // Both trees at once: the lower half of the threads has one, the upper half the other.
#pragma unroll 1
  for (unsigned half = kFold<F> / 2; half > 0; half /= 2) {
    const bool lower = tid < kFold<F> / 2;
    const unsigned i = lower ? tid : tid - kFold<F> / 2;
    if (i < half) {
      Xyzz<F>* tree = lower ? plain : weighted;
      sum = tree[i];
      add(sum, tree[i + half]);
      tree[i] = sum;
    }
    __syncthreads();
  }
  if (tid == 0) {
    sum = plain[0];
#pragma unroll 1
    for (unsigned i = 0; i < log_unit; ++i) {
      sum = doubled(sum);
    }
    add(sum, weighted[0]);
    out.weighted[result] = sum;
  }
}

}  // namespace baton::device
