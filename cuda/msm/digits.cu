#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "cuda/device/cuda_status.hpp"
#include "cuda/msm/digits.hpp"

namespace baton {

namespace {

constexpr unsigned kBlock = 256;
constexpr std::uint32_t kSign = 0x80000000U;

unsigned blocks_for(std::uint64_t items) {
  return static_cast<unsigned>((items + kBlock - 1) / kBlock);
}

unsigned bits_for(std::uint64_t values) {
  unsigned bits = 0;
  while (bits < 63 && (std::uint64_t{1} << bits) < values) {
    ++bits;
  }
  return bits;
}

/// A scalar reduced to at most r/2 in absolute value.
struct SignedScalar {
  std::uint32_t words[9];  ///< one word of zeros above
  bool negative;
};

__device__ bool exceeds(const std::uint32_t* a, const std::uint32_t* b) {
  for (int i = 7; i > 0; --i) {
    if (a[i] != b[i]) {
      return a[i] > b[i];
    }
  }
  return a[0] > b[0];
}

__device__ SignedScalar load_scalar(const uint4* scalars, std::uint32_t index, const ScalarModulus& modulus) {
  const uint4 low = scalars[2 * static_cast<std::size_t>(index)];
  const uint4 high = scalars[2 * static_cast<std::size_t>(index) + 1];
  SignedScalar s{{low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w, 0}, false};
  if (exceeds(s.words, modulus.half)) {
    s.negative = true;
    std::uint64_t borrow = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const std::uint64_t t = static_cast<std::uint64_t>(modulus.r[i]) - s.words[i] - borrow;
      s.words[i] = static_cast<std::uint32_t>(t);
      borrow = t >> 63;
    }
  }
  return s;
}

/// Calls visit(window, magnitude, negative) for every window from the lowest; magnitude 0 included.
template <class Visit>
__device__ void for_each_digit(SignedScalar s, unsigned window_bits, unsigned windows, Visit visit) {
  const std::uint32_t mask = (1U << window_bits) - 1;
  const std::uint32_t half = 1U << (window_bits - 1);
  std::uint32_t carry = 0;
  for (unsigned w = 0; w < windows; ++w) {
    const std::uint32_t digit = (s.words[0] & mask) + carry;
    carry = digit > half ? 1 : 0;
    const bool flip = carry != 0;
    visit(w, flip ? (mask + 1) - digit : digit, flip != s.negative);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      s.words[i] = __funnelshift_r(s.words[i], s.words[i + 1], window_bits);
    }
  }
}

/// Appends the entries of one scalar a thread. Places are reserved once a block; within a warp the entries of
/// one window stand side by side.
__global__ void __launch_bounds__(kBlock)
    write_digits(const uint4* scalars, std::uint32_t count, ScalarModulus modulus, MsmWindows windows,
                 unsigned index_bits, std::uint32_t* keys, std::uint32_t* entries, std::uint32_t* total) {
  __shared__ std::uint32_t warp_counts[kBlock / 32];
  __shared__ std::uint32_t block_base;
  const std::uint32_t index = blockIdx.x * kBlock + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  SignedScalar scalar{};
  if (index < count) {
    scalar = load_scalar(scalars, index, modulus);
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
                     entries[at] = (negative ? kSign : 0) | ((w / groups) << index_bits) | index;
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

__device__ bool is_present(const PresenceMap& presence, std::uint32_t index) {
  return ((presence.words[index / 32] >> (index % 32)) & 1U) != 0;
}

/// 1 for an entry whose point exists. Beyond the last entry: 0.
struct PresentFlag {
  const std::uint32_t* entries;
  const std::uint32_t* total;
  PresenceMap presence;
  std::uint32_t index_mask;

  __device__ std::uint32_t operator()(std::uint32_t place) const {
    return place < *total && is_present(presence, entries[place] & index_mask) ? 1 : 0;
  }
};

__global__ void __launch_bounds__(kBlock)
    compact_entries(const std::uint32_t* entries, const std::uint32_t* total, const std::uint32_t* ranks,
                    PresenceMap presence, std::uint32_t index_mask, std::uint32_t* out) {
  const std::uint32_t i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= *total) {
    return;
  }
  const std::uint32_t index = entries[i] & index_mask;
  if (is_present(presence, index)) {
    const std::uint32_t below = presence.words[index / 32] & ((1U << (index % 32)) - 1);
    out[ranks[i]] = (entries[i] & ~index_mask) | (presence.before[index / 32] + __popc(below));
  }
}

__global__ void __launch_bounds__(kBlock) map_offsets(const std::uint32_t* offsets, std::uint32_t count,
                                                      const std::uint32_t* ranks, std::uint32_t* out) {
  const std::uint32_t i = blockIdx.x * kBlock + threadIdx.x;
  if (i < count) {
    out[i] = ranks[offsets[i]];
  }
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

auto flags_of(const PresentFlag& flag) {
  return thrust::make_transform_iterator(thrust::make_counting_iterator(std::uint32_t{0}), flag);
}

}  // namespace

Result<DigitSort> DigitSort::plan(const MsmWindows& windows, std::uint32_t scalars,
                                  const ScalarModulus& modulus) {
  DigitSort plan;
  plan.windows_ = windows;
  plan.modulus_ = modulus;
  plan.scalars_ = scalars;
  plan.index_bits_ = bits_for(scalars);
  const std::uint64_t entries = std::uint64_t{scalars} * windows.windows();
  if (plan.index_bits_ + bits_for(windows.tables) > 31 || entries >= 0xffffff00U) {
    return Status(StatusCode::kLimit, "digits of " + std::to_string(scalars) + " scalars in " +
                                          std::to_string(windows.windows()) + " windows and " +
                                          std::to_string(windows.tables) +
                                          " tables: expected at most 31 bits an entry and 2^32 entries");
  }
  plan.capacity_ = static_cast<std::uint32_t>(entries);
  BATON_ASSIGN_OR_RETURN(plan.sort_bytes_, sort_scratch(plan.capacity_, bits_for(windows.buckets() + 1ULL)));
  ArenaView count;
  for (int i = 0; i < 4; ++i) {
    count.take<std::uint32_t>(plan.capacity_);
  }
  count.take<std::uint32_t>(std::size_t{windows.buckets()} + 1);
  count.take<std::byte>(plan.sort_bytes_);
  count.take<std::uint32_t>(1);
  plan.bytes_ = count.used();
  return plan;
}

Result<SortedDigits> DigitSort::run(const std::byte* scalars, ArenaView& arena, cudaStream_t stream) const {
  std::uint32_t* key_buffers[2] = {arena.take<std::uint32_t>(capacity_),
                                   arena.take<std::uint32_t>(capacity_)};
  std::uint32_t* entry_buffers[2] = {arena.take<std::uint32_t>(capacity_),
                                     arena.take<std::uint32_t>(capacity_)};
  auto* offsets = arena.take<std::uint32_t>(std::size_t{windows_.buckets()} + 1);
  auto* scratch = arena.take<std::byte>(sort_bytes_);
  auto* total = arena.take<std::uint32_t>(1);
  if (arena.overflowed()) {
    return internal_error("digits: the arena is smaller than planned");
  }
  const std::uint32_t buckets = windows_.buckets();
  if (capacity_ == 0) {
    BATON_RETURN_IF_ERROR(
        cuda_status(cudaMemsetAsync(offsets, 0, (std::size_t{buckets} + 1) * 4, stream), "digits: clear"));
    return SortedDigits{entry_buffers[0], offsets, windows_, index_bits_, 0};
  }
  BATON_RETURN_IF_ERROR(cuda_status(cudaMemsetAsync(total, 0, 4, stream), "digits: clear"));
  write_digits<<<blocks_for(scalars_), kBlock, 0, stream>>>(reinterpret_cast<const uint4*>(scalars), scalars_,
                                                            modulus_, windows_, index_bits_, key_buffers[0],
                                                            entry_buffers[0], total);
  fill_unused<<<blocks_for(capacity_), kBlock, 0, stream>>>(key_buffers[0], total, capacity_, buckets);
  cub::DoubleBuffer<std::uint32_t> keys(key_buffers[0], key_buffers[1]);
  cub::DoubleBuffer<std::uint32_t> entries(entry_buffers[0], entry_buffers[1]);
  std::size_t sort_bytes = sort_bytes_;
  BATON_RETURN_IF_ERROR(
      cuda_status(cub::DeviceRadixSort::SortPairs(scratch, sort_bytes, keys, entries, capacity_, 0,
                                                  static_cast<int>(bits_for(buckets + 1ULL)), stream),
                  "digits: sort"));
  find_offsets<<<blocks_for(buckets + 1ULL), kBlock, 0, stream>>>(keys.Current(), total, buckets, offsets);
  BATON_RETURN_IF_ERROR(last_cuda_status("digits"));
  return SortedDigits{entries.Current(), offsets, windows_, index_bits_, capacity_};
}

Result<DigitFilter> DigitFilter::plan(const DigitSort& sort) {
  DigitFilter plan;
  plan.windows_ = sort.windows();
  plan.capacity_ = sort.capacity();
  BATON_RETURN_IF_ERROR(
      cuda_status(cub::DeviceScan::ExclusiveSum(nullptr, plan.scan_bytes_, flags_of(PresentFlag{}),
                                                static_cast<std::uint32_t*>(nullptr), plan.capacity_ + 1),
                  "size of a scan"));
  ArenaView count;
  count.take<std::uint32_t>(plan.capacity_);
  count.take<std::uint32_t>(std::size_t{plan.capacity_} + 1);
  count.take<std::uint32_t>(std::size_t{plan.windows_.buckets()} + 1);
  count.take<std::byte>(plan.scan_bytes_);
  plan.bytes_ = count.used();
  return plan;
}

Result<SortedDigits> DigitFilter::run(const SortedDigits& digits, const PresenceMap& presence,
                                      ArenaView& arena, cudaStream_t stream) const {
  if (presence.words == nullptr) {
    return digits;
  }
  const std::uint32_t buckets = windows_.buckets();
  auto* out = arena.take<std::uint32_t>(capacity_);
  auto* ranks = arena.take<std::uint32_t>(std::size_t{capacity_} + 1);
  auto* offsets = arena.take<std::uint32_t>(std::size_t{buckets} + 1);
  auto* scratch = arena.take<std::byte>(scan_bytes_);
  if (arena.overflowed() || digits.capacity != capacity_ || !(digits.windows == windows_)) {
    return internal_error("filter of digits: another plan than that of its digits, or a small arena");
  }
  const std::uint32_t index_mask = (1U << digits.index_bits) - 1;
  const std::uint32_t* total = digits.offsets + buckets;
  std::size_t scan_bytes = scan_bytes_;
  BATON_RETURN_IF_ERROR(cuda_status(
      cub::DeviceScan::ExclusiveSum(scratch, scan_bytes,
                                    flags_of(PresentFlag{digits.entries, total, presence, index_mask}), ranks,
                                    capacity_ + 1, stream),
      "filter of digits: scan"));
  if (capacity_ > 0) {
    compact_entries<<<blocks_for(capacity_), kBlock, 0, stream>>>(digits.entries, total, ranks, presence,
                                                                  index_mask, out);
  }
  map_offsets<<<blocks_for(buckets + 1ULL), kBlock, 0, stream>>>(digits.offsets, buckets + 1, ranks, offsets);
  BATON_RETURN_IF_ERROR(last_cuda_status("filter of digits"));
  return SortedDigits{out, offsets, windows_, digits.index_bits, capacity_};
}

}  // namespace baton
