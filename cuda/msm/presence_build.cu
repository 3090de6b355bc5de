#include <cub/device/device_scan.cuh>

#include "cuda/device/cuda_status.hpp"
#include "cuda/msm/presence_build.hpp"

namespace baton {

namespace {

constexpr unsigned kBlock = 256;

__global__ void __launch_bounds__(kBlock)
    mark_present(const uint4* records, std::uint32_t count, unsigned pieces, std::uint32_t first,
                 std::uint32_t scalars, std::uint32_t* words, std::uint32_t* counts) {
  const std::uint32_t scalar = blockIdx.x * kBlock + threadIdx.x;
  bool present = false;
  if (scalar >= first && scalar - first < count) {
    const uint4* record = records + static_cast<std::size_t>(scalar - first) * pieces;
    for (unsigned i = 0; i < pieces && !present; ++i) {
      present = (record[i].x | record[i].y | record[i].z | record[i].w) != 0;
    }
  }
  const std::uint32_t word = __ballot_sync(0xffffffffU, present);
  if (threadIdx.x % 32 == 0 && scalar < scalars) {
    words[scalar / 32] = word;
    counts[scalar / 32] = __popc(word);
  }
}

__global__ void __launch_bounds__(kBlock)
    copy_present(const uint4* records, std::uint32_t count, unsigned pieces, std::uint32_t first,
                 PresenceMap presence, uint4* out) {
  const std::uint32_t i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= count) {
    return;
  }
  const std::uint32_t scalar = first + i;
  const std::uint32_t word = presence.words[scalar / 32];
  if (((word >> (scalar % 32)) & 1U) == 0) {
    return;
  }
  const std::uint32_t rank = presence.before[scalar / 32] + __popc(word & ((1U << (scalar % 32)) - 1));
  for (unsigned p = 0; p < pieces; ++p) {
    out[static_cast<std::size_t>(rank) * pieces + p] = records[static_cast<std::size_t>(i) * pieces + p];
  }
}

unsigned blocks_for(std::uint64_t items) {
  return static_cast<unsigned>((items + kBlock - 1) / kBlock);
}

}  // namespace

Result<std::uint32_t> find_present(const std::byte* records, std::uint32_t count, std::size_t bytes,
                                   std::uint32_t first, std::uint32_t scalars, std::uint32_t* words,
                                   std::uint32_t* before, cudaStream_t stream) {
  const std::uint32_t n = presence_words(scalars);
  if (n == 0) {
    return std::uint32_t{0};
  }
  mark_present<<<blocks_for(scalars), kBlock, 0, stream>>>(reinterpret_cast<const uint4*>(records), count,
                                                           static_cast<unsigned>(bytes / 16), first, scalars,
                                                           words, before);
  BATON_RETURN_IF_ERROR(last_cuda_status("presence of points"));
  std::size_t scan_bytes = 0;
  BATON_RETURN_IF_ERROR(
      cuda_status(cub::DeviceScan::ExclusiveSum(nullptr, scan_bytes, before, before, n), "size of a scan"));
  BATON_ASSIGN_OR_RETURN(const DeviceBuffer scratch, DeviceBuffer::allocate(scan_bytes));
  BATON_RETURN_IF_ERROR(
      cuda_status(cub::DeviceScan::ExclusiveSum(scratch.data(), scan_bytes, before, before, n, stream),
                  "presence of points: scan"));
  std::uint32_t last_word = 0;
  std::uint32_t last_before = 0;
  BATON_RETURN_IF_ERROR(cuda_status(
      cudaMemcpyAsync(&last_word, words + n - 1, 4, cudaMemcpyDeviceToHost, stream), "presence of points"));
  BATON_RETURN_IF_ERROR(
      cuda_status(cudaMemcpyAsync(&last_before, before + n - 1, 4, cudaMemcpyDeviceToHost, stream),
                  "presence of points"));
  BATON_RETURN_IF_ERROR(cuda_status(cudaStreamSynchronize(stream), "presence of points"));
  return last_before + static_cast<std::uint32_t>(__builtin_popcount(last_word));
}

Status compact_present(const std::byte* records, std::uint32_t count, std::size_t bytes, std::uint32_t first,
                       const PresenceMap& presence, std::byte* out, cudaStream_t stream) {
  if (count != 0) {
    copy_present<<<blocks_for(count), kBlock, 0, stream>>>(reinterpret_cast<const uint4*>(records), count,
                                                           static_cast<unsigned>(bytes / 16), first, presence,
                                                           reinterpret_cast<uint4*>(out));
  }
  return last_cuda_status("compact points");
}

}  // namespace baton
