#include <cub/device/device_scan.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "cuda/device/cuda_status.hpp"
#include "cuda/msm/dense_sort.hpp"
#include "cuda/msm/digit_scalar.cuh"
#include "cuda/msm/digits.hpp"

namespace baton {

namespace {

constexpr unsigned kBlock = kDigitBlock;

/// Lanes of a warp that share one bucket, found where it pays: all those that agree with the first lane, and
/// in the lowest window, where witnesses repeat small values, every group of equals.
struct Equals {
  unsigned lanes;  ///< that have this lane's bucket
  unsigned leader;
  unsigned before;  ///< of them, lanes below this one
};

__device__ Equals find_equals(std::uint32_t bucket, unsigned takers, unsigned lane, bool thorough) {
  unsigned lanes = 0;
  if (thorough) {
    lanes = __match_any_sync(takers, bucket);
  } else {
    const std::uint32_t first = __shfl_sync(takers, bucket, __ffs(static_cast<int>(takers)) - 1);
    lanes = __ballot_sync(takers, bucket == first);
    if (bucket != first) {
      lanes = 1U << lane;
    }
  }
  const unsigned below = lanes & ((1U << lane) - 1);
  return {lanes, static_cast<unsigned>(__ffs(static_cast<int>(lanes)) - 1),
          static_cast<unsigned>(__popc(below))};
}

/// counts[bucket] += number of its digits. One scalar a thread.
__global__ void __launch_bounds__(kBlock)
    count_digits(const uint4* scalars, std::uint32_t count, ScalarModulus modulus, MsmWindows windows,
                 std::uint32_t* counts) {
  const std::uint32_t index = blockIdx.x * kBlock + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  SignedScalar scalar{};
  if (index < count) {
    scalar = load_scalar(scalars, index, modulus);
  }
  const unsigned groups = windows.groups();
  for_each_digit(scalar, windows.window_bits, windows.windows(),
                 [&](unsigned w, std::uint32_t magnitude, bool) {
                   const unsigned takers = __ballot_sync(0xffffffffU, magnitude != 0);
                   if (magnitude != 0) {
                     const std::uint32_t bucket = (w % groups) * windows.buckets_per_group() + magnitude - 1;
                     const Equals equals = find_equals(bucket, takers, lane, w == 0);
                     if (lane == equals.leader) {
                       atomicAdd(counts + bucket, __popc(equals.lanes));
                     }
                   }
                   __syncwarp();
                 });
}

/// Writes every digit's entry to the next free place of its bucket (places[bucket]).
__global__ void __launch_bounds__(kBlock)
    place_digits(const uint4* scalars, std::uint32_t count, ScalarModulus modulus, MsmWindows windows,
                 unsigned index_bits, std::uint32_t* places, std::uint32_t* entries) {
  const std::uint32_t index = blockIdx.x * kBlock + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  SignedScalar scalar{};
  if (index < count) {
    scalar = load_scalar(scalars, index, modulus);
  }
  const unsigned groups = windows.groups();
  for_each_digit(scalar, windows.window_bits, windows.windows(),
                 [&](unsigned w, std::uint32_t magnitude, bool negative) {
                   const unsigned takers = __ballot_sync(0xffffffffU, magnitude != 0);
                   if (magnitude != 0) {
                     const std::uint32_t bucket = (w % groups) * windows.buckets_per_group() + magnitude - 1;
                     const Equals equals = find_equals(bucket, takers, lane, w == 0);
                     std::uint32_t place = 0;
                     if (lane == equals.leader) {
                       place = atomicAdd(places + bucket, __popc(equals.lanes));
                     }
                     place = __shfl_sync(takers, place, equals.leader) + equals.before;
                     entries[place] = (negative ? kSign : 0) | ((w / groups) << index_bits) | index;
                   }
                   __syncwarp();
                 });
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

auto flags_of(const PresentFlag& flag) {
  return thrust::make_transform_iterator(thrust::make_counting_iterator(std::uint32_t{0}), flag);
}

}  // namespace

Result<DigitSort> DigitSort::plan(const MsmWindows& windows, std::uint32_t scalars,
                                  const ScalarModulus& modulus, DigitDensity density) {
  DigitSort plan;
  plan.density_ = density;
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
  if (density == DigitDensity::kDense) {
    BATON_ASSIGN_OR_RETURN(plan.bytes_, dense_sort_bytes(plan.capacity_, windows.buckets()));
    return plan;
  }
  const std::size_t offsets = std::size_t{windows.buckets()} + 1;
  BATON_RETURN_IF_ERROR(cuda_status(
      cub::DeviceScan::ExclusiveSum(nullptr, plan.scan_bytes_, static_cast<std::uint32_t*>(nullptr),
                                    static_cast<std::uint32_t*>(nullptr), offsets),
      "size of a scan"));
  ArenaView count;
  count.take<std::uint32_t>(plan.capacity_);
  count.take<std::uint32_t>(offsets);
  count.take<std::uint32_t>(offsets);
  count.take<std::byte>(plan.scan_bytes_);
  plan.bytes_ = count.used();
  return plan;
}

Result<SortedDigits> DigitSort::run(const std::byte* scalars, ArenaView& arena, cudaStream_t stream) const {
  if (density_ == DigitDensity::kDense) {
    return dense_sort({reinterpret_cast<const uint4*>(scalars), scalars_, modulus_, windows_, index_bits_},
                      capacity_, arena, stream);
  }
  const std::size_t count = std::size_t{windows_.buckets()} + 1;
  auto* entries = arena.take<std::uint32_t>(capacity_);
  auto* offsets = arena.take<std::uint32_t>(count);
  auto* places = arena.take<std::uint32_t>(count);
  auto* scratch = arena.take<std::byte>(scan_bytes_);
  if (arena.overflowed()) {
    return internal_error("digits: the arena is smaller than planned");
  }
  const auto* words = reinterpret_cast<const uint4*>(scalars);
  BATON_RETURN_IF_ERROR(cuda_status(cudaMemsetAsync(places, 0, count * 4, stream), "digits: clear"));
  if (scalars_ != 0) {
    count_digits<<<digit_blocks(scalars_), kBlock, 0, stream>>>(words, scalars_, modulus_, windows_, places);
  }
  std::size_t scan_bytes = scan_bytes_;
  BATON_RETURN_IF_ERROR(cuda_status(
      cub::DeviceScan::ExclusiveSum(scratch, scan_bytes, places, offsets, count, stream), "digits: scan"));
  BATON_RETURN_IF_ERROR(cuda_status(
      cudaMemcpyAsync(places, offsets, count * 4, cudaMemcpyDeviceToDevice, stream), "digits: copy"));
  if (scalars_ != 0) {
    place_digits<<<digit_blocks(scalars_), kBlock, 0, stream>>>(words, scalars_, modulus_, windows_,
                                                                index_bits_, places, entries);
  }
  BATON_RETURN_IF_ERROR(last_cuda_status("digits"));
  return SortedDigits{entries, offsets, windows_, index_bits_, capacity_};
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
    compact_entries<<<digit_blocks(capacity_), kBlock, 0, stream>>>(digits.entries, total, ranks, presence,
                                                                    index_mask, out);
  }
  map_offsets<<<digit_blocks(buckets + 1ULL), kBlock, 0, stream>>>(digits.offsets, buckets + 1, ranks,
                                                                   offsets);
  BATON_RETURN_IF_ERROR(last_cuda_status("filter of digits"));
  return SortedDigits{out, offsets, windows_, digits.index_bits, capacity_};
}

}  // namespace baton
