#include "cuda/msm/dense_sort.hpp"

#include <cub/device/device_radix_sort.cuh>

#include "cuda/device/cuda_status.hpp"
#include "cuda/msm/digit_scalar.cuh"

namespace baton {

namespace {

constexpr unsigned kBlock = kDigitBlock;

/// Appends the entries of one scalar a thread. Places are reserved once a block; within a warp the entries of
/// one window stand side by side.
__global__ void __launch_bounds__(kBlock)
    write_digits(DigitInput in, std::uint32_t* keys, std::uint32_t* entries, std::uint32_t* total) {
  const MsmWindows windows = in.windows;
  __shared__ std::uint32_t warp_counts[kBlock / 32];
  __shared__ std::uint32_t block_base;
  const std::uint32_t index = blockIdx.x * kBlock + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  SignedScalar scalar{};
  if (index < in.count) {
    scalar = load_scalar(in.scalars, index, in.modulus);
  }
  std::uint32_t found = 0;
  for_each_digit(scalar, windows.window_bits, windows.windows(),
                 [&](unsigned, std::uint32_t magnitude, bool) { found += magnitude != 0 ? 1 : 0; });
  const std::uint32_t in_warp = __reduce_add_sync(0xffffffffU, found);
  if (lane == 0) {
    warp_counts[warp] = in_warp;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    std::uint32_t sum = 0;
    for (unsigned i = 0; i < kBlock / 32; ++i) {
      const std::uint32_t here = warp_counts[i];
      warp_counts[i] = sum;
      sum += here;
    }
    block_base = sum != 0 ? atomicAdd(total, sum) : 0;
  }
  __syncthreads();
  std::uint32_t place = block_base + warp_counts[warp];
  const unsigned groups = windows.groups();
  for_each_digit(scalar, windows.window_bits, windows.windows(),
                 [&](unsigned w, std::uint32_t magnitude, bool negative) {
                   const unsigned takers = __ballot_sync(0xffffffffU, magnitude != 0);
                   if (magnitude != 0) {
                     const std::uint32_t at = place + __popc(takers & ((1U << lane) - 1));
                     keys[at] = (w % groups) * windows.buckets_per_group() + magnitude - 1;
                     entries[at] = (negative ? kSign : 0) | ((w / groups) << in.index_bits) | index;
                   }
                   place += __popc(takers);
                 });
}

/// Keys above every bucket for the places that no entry took.
__global__ void __launch_bounds__(kBlock)
    fill_unused(std::uint32_t* keys, const std::uint32_t* total, std::uint32_t capacity, std::uint32_t key) {
  const std::uint32_t i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= *total && i < capacity) {
    keys[i] = key;
  }
}

/// offsets[b] = first place whose key is at least b, for b in [0, buckets]; by bisection, so that long runs
/// of empty buckets cost no more than full ones.
__global__ void __launch_bounds__(kBlock) find_offsets(const std::uint32_t* keys, const std::uint32_t* total,
                                                       std::uint32_t buckets, std::uint32_t* offsets) {
  const std::uint32_t bucket = blockIdx.x * kBlock + threadIdx.x;
  if (bucket > buckets) {
    return;
  }
  std::uint32_t low = 0;
  std::uint32_t high = *total;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (keys[middle] < bucket) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  offsets[bucket] = low;
}

Result<std::size_t> sort_scratch(std::uint32_t capacity, unsigned key_bits) {
  std::size_t bytes = 0;
  cub::DoubleBuffer<std::uint32_t> keys(nullptr, nullptr);
  cub::DoubleBuffer<std::uint32_t> values(nullptr, nullptr);
  BATON_RETURN_IF_ERROR(cuda_status(
      cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, values, capacity, 0, static_cast<int>(key_bits)),
      "size of a sort"));
  return bytes;
}

struct Buffers {
  std::uint32_t* keys[2];
  std::uint32_t* entries[2];
  std::uint32_t* offsets;
  std::uint32_t* total;
  std::byte* scratch;
};

Buffers take(ArenaView& arena, std::uint32_t capacity, std::uint32_t buckets, std::size_t scratch) {
  Buffers b{};
  for (int i = 0; i < 2; ++i) {
    b.keys[i] = arena.take<std::uint32_t>(capacity);
    b.entries[i] = arena.take<std::uint32_t>(capacity);
  }
  b.offsets = arena.take<std::uint32_t>(std::size_t{buckets} + 1);
  b.total = arena.take<std::uint32_t>(1);
  b.scratch = arena.take<std::byte>(scratch);
  return b;
}

}  // namespace

Result<std::size_t> dense_sort_bytes(std::uint32_t capacity, std::uint32_t buckets) {
  BATON_ASSIGN_OR_RETURN(const std::size_t scratch, sort_scratch(capacity, bits_for(buckets + 1ULL)));
  ArenaView count;
  (void)take(count, capacity, buckets, scratch);
  return count.used();
}

Result<SortedDigits> dense_sort(const DigitInput& in, std::uint32_t capacity, ArenaView& arena,
                                cudaStream_t stream) {
  const std::uint32_t buckets = in.windows.buckets();
  const unsigned key_bits = bits_for(buckets + 1ULL);
  BATON_ASSIGN_OR_RETURN(std::size_t scratch, sort_scratch(capacity, key_bits));
  const Buffers b = take(arena, capacity, buckets, scratch);
  if (arena.overflowed()) {
    return internal_error("digits: the arena is smaller than planned");
  }
  BATON_RETURN_IF_ERROR(cuda_status(cudaMemsetAsync(b.total, 0, 4, stream), "digits: clear"));
  cub::DoubleBuffer<std::uint32_t> keys(b.keys[0], b.keys[1]);
  cub::DoubleBuffer<std::uint32_t> entries(b.entries[0], b.entries[1]);
  if (capacity != 0) {
    write_digits<<<digit_blocks(in.count), kBlock, 0, stream>>>(in, b.keys[0], b.entries[0], b.total);
    fill_unused<<<digit_blocks(capacity), kBlock, 0, stream>>>(b.keys[0], b.total, capacity, buckets);
    BATON_RETURN_IF_ERROR(
        cuda_status(cub::DeviceRadixSort::SortPairs(b.scratch, scratch, keys, entries, capacity, 0,
                                                    static_cast<int>(key_bits), stream),
                    "digits: sort"));
  }
  find_offsets<<<digit_blocks(buckets + 1ULL), kBlock, 0, stream>>>(keys.Current(), b.total, buckets,
                                                                    b.offsets);
  BATON_RETURN_IF_ERROR(last_cuda_status("digits"));
  return SortedDigits{entries.Current(), b.offsets, in.windows, in.index_bits, capacity};
}

}  // namespace baton
