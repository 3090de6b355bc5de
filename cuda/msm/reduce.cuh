#pragma once

#include "cuda/msm/memory.cuh"
#include "cuda/msm/point.cuh"
#include "cuda/msm/reduce_shape.hpp"

/// The weighted sum of a bucket set, by plain sums only: with j = high * 2^k + low,
///   sum (j + 1) B_j = sum (low + 1) C_low + 2^k sum high R_high,
/// C_low the sum of column low, R_high that of row high. The two sums on the right are taken apart once more
/// in the same way; what is left are four weighted sums of at most 64 points, and doublings for the host.

namespace baton::device {

inline constexpr unsigned kPieceBlock = 128;

/// Blocks a multiprocessor, by the registers that an addition needs.
template <class F>
inline constexpr unsigned kPieceBlocks = sizeof(F) <= 32 ? 4 : (sizeof(F) <= 48 ? 3 : 2);

/// Sums pieces of rows and of columns: one thread a piece of 2^log_run buckets. Buckets that no source has
/// entries for are not read.
template <class F>
__global__ void __launch_bounds__(kPieceBlock, kPieceBlocks<F>)
    sum_pieces(const Xyzz<F>* buckets, const std::uint32_t* offsets, const std::uint32_t* more_offsets,
               ReduceShape shape, Xyzz<F>* out) {
  const std::uint32_t id = blockIdx.x * kPieceBlock + threadIdx.x;
  const std::uint32_t pieces = shape.buckets() >> shape.log_run;
  if (id >= 2 * pieces) {
    return;
  }
  const bool row = id < pieces;
  const std::uint32_t number = row ? id : id - pieces;
  const std::uint32_t column = number & (shape.columns() - 1);
  const std::uint32_t piece = number >> shape.log_columns;
  const std::uint32_t first =
      blockIdx.y * shape.buckets() +
      (row ? number << shape.log_run : (piece << (shape.log_run + shape.log_columns)) + column);
  const std::uint32_t stride = row ? 1 : shape.columns();
  Xyzz<F> sum = Xyzz<F>::infinity();
#pragma unroll 1
  for (std::uint32_t i = 0; i < (1U << shape.log_run); ++i) {
    const std::uint32_t bucket = first + i * stride;
    if (offsets[bucket] != offsets[bucket + 1] ||
        (more_offsets != nullptr && more_offsets[bucket] != more_offsets[bucket + 1])) {
      add_in_loop(sum, buckets[bucket]);
    }
  }
  const std::uint32_t column_pieces = shape.rows() >> shape.log_run;
  const std::uint32_t place = row ? number : pieces + column * column_pieces + piece;
  out[static_cast<std::size_t>(blockIdx.y) * 2 * pieces + place] = sum;
}

/// Sum of `count` items from `first` on, by all kLineBlock threads of the block; the first thread has it.
inline constexpr unsigned kLineBlock = 64;

template <class F>
__device__ Xyzz<F> sum_line(const Xyzz<F>* first, std::uint32_t count, std::uint32_t stride,
                            Xyzz<F>* shared) {
  Xyzz<F> sum = Xyzz<F>::infinity();
#pragma unroll 1
  for (std::uint32_t i = threadIdx.x; i < count; i += kLineBlock) {
    add(sum, first[static_cast<std::size_t>(i) * stride]);
  }
  shared[threadIdx.x] = sum;
  __syncthreads();
  unsigned half = kLineBlock / 2;
  while (half >= count && half > 0) {
    half /= 2;
  }
#pragma unroll 1
  for (; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      add(sum, shared[threadIdx.x + half]);
      shared[threadIdx.x] = sum;
    }
    __syncthreads();
  }
  return sum;
}

template <class F>
inline constexpr std::size_t kLineBytes = kLineBlock * sizeof(Xyzz<F>);

/// One block a line of the sets, one row of blocks a group: out[line] = its sum.
template <class F>
__global__ void __launch_bounds__(kLineBlock)
    sum_lines(const Xyzz<F>* in, std::uint32_t in_of_group, LineSets sets, Xyzz<F>* out) {
  extern __shared__ uint4 shared_memory[];
  std::uint32_t line = blockIdx.x;
  unsigned s = 0;
  while (line >= sets.sets[s].lines) {
    line -= sets.sets[s].lines;
    ++s;
  }
  const LineSet& set = sets.sets[s];
  const Xyzz<F>* first = in + static_cast<std::size_t>(blockIdx.y) * in_of_group + set.offset +
                         static_cast<std::size_t>(line) * set.step;
  const Xyzz<F> sum = sum_line(first, set.count, set.stride, reinterpret_cast<Xyzz<F>*>(shared_memory));
  if (threadIdx.x == 0) {
    out[static_cast<std::size_t>(blockIdx.y) * gridDim.x + blockIdx.x] = sum;
  }
}

/// One block a set of at most kLineBlock points: out = sum of (i + first_weight) * point_i, by suffix sums.
template <class F>
__global__ void __launch_bounds__(kLineBlock)
    weigh_sets(const Xyzz<F>* in, std::uint32_t in_of_group, WeightedSets sets, Xyzz<F>* out) {
  extern __shared__ uint4 shared_memory[];
  auto* shared = reinterpret_cast<Xyzz<F>*>(shared_memory);
  const unsigned tid = threadIdx.x;
  const std::uint32_t count = sets.count[blockIdx.x];
  const Xyzz<F>* from = in + static_cast<std::size_t>(blockIdx.y) * in_of_group + sets.offset[blockIdx.x];
  Xyzz<F> sum = Xyzz<F>::infinity();
  Xyzz<F> other = Xyzz<F>::infinity();
  if (tid < count) {
    sum = from[tid];
  }
  shared[tid] = sum;
  __syncthreads();
#pragma unroll 1
  for (unsigned step = 1; step < count; step *= 2) {
    const bool adds = tid + step < count;
    if (adds) {
      other = shared[tid + step];
    }
    __syncthreads();
    if (adds) {
      add(sum, other);
      shared[tid] = sum;
    }
    __syncthreads();
  }
  if (tid == 0 && sets.first_weight[blockIdx.x] == 0) {
    shared[0] = Xyzz<F>::infinity();
  }
  __syncthreads();
  sum = sum_line(shared, count, 1U, shared + kLineBlock);
  if (tid == 0) {
    out[static_cast<std::size_t>(blockIdx.y) * kReduceSums + blockIdx.x] = sum;
  }
}

}  // namespace baton::device
