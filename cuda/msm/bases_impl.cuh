#pragma once

#include <algorithm>

#include "cuda/device/arena.hpp"
#include "cuda/device/cuda_status.hpp"
#include "cuda/msm/bases.hpp"
#include "cuda/msm/memory.cuh"
#include "cuda/msm/presence_build.hpp"

/// Included by the one .cu of each group.

namespace baton {

namespace device {

inline constexpr unsigned kTableBlock = 128;
/// Points that share one inversion.
inline constexpr unsigned kInversionBatch = 16;

/// out[i] = 2^doublings points[i].
template <class F>
__global__ void __launch_bounds__(kTableBlock)
    double_points(const Affine<F>* points, std::uint32_t count, unsigned doublings, Xyzz<F>* out) {
  const std::uint32_t i = blockIdx.x * kTableBlock + threadIdx.x;
  if (i >= count) {
    return;
  }
  Xyzz<F> p = Xyzz<F>::from_affine(points[i]);
#pragma unroll 1
  for (unsigned d = 0; d < doublings; ++d) {
    p = doubled_inline(p);
  }
  out[i] = p;
}

/// out[i] = points[i] in canonical affine form; infinity becomes all zero. A thread takes every `stride`-th
/// point and inverts once; `prefixes` is scratch of `count` elements.
template <class F>
__global__ void __launch_bounds__(kTableBlock)
    normalise_points(const Xyzz<F>* points, std::uint32_t count, std::uint32_t stride, F* prefixes,
                     Affine<F>* out) {
  const std::uint32_t first = blockIdx.x * kTableBlock + threadIdx.x;
  if (first >= stride || first >= count) {
    return;
  }
  F product = F::one();
  std::uint32_t last = first;
#pragma unroll 1
  for (std::uint32_t i = first; i < count; i += stride) {
    prefixes[i] = product;
    const F zzz = points[i].zzz;
    if (!zzz.is_zero()) {
      product = product * zzz;
    }
    last = i;
  }
  F inverse = product.inverse();
#pragma unroll 1
  for (std::uint32_t i = last;; i -= stride) {
    const Xyzz<F> p = points[i];
    Affine<F> result{F::zero(), F::zero()};
    if (!p.zzz.is_zero()) {
      const F own = inverse * prefixes[i];
      inverse = inverse * p.zzz;
      const F by_z = own * p.zz;
      result = {(p.x * by_z.square()).canonical(), (p.y * own).canonical()};
    }
    out[i] = result;
    if (i == first) {
      break;
    }
  }
}

}  // namespace device

namespace detail {

/// Points that are worked on at once while tables are built: bounds the scratch.
inline constexpr std::uint32_t kTableChunk = 1U << 19;

template <class F>
Status next_table(const device::Affine<F>* from, std::uint32_t count, unsigned doublings, std::byte* scratch,
                  device::Affine<F>* to, cudaStream_t stream) {
  for (std::uint32_t begin = 0; begin < count; begin += kTableChunk) {
    const std::uint32_t here = std::min(kTableChunk, count - begin);
    ArenaView view(scratch, std::size_t{kTableChunk} * sizeof(device::Xyzz<F>) * 2);
    auto* points = view.take<device::Xyzz<F>>(here);
    auto* prefixes = view.take<F>(here);
    const unsigned blocks = (here + device::kTableBlock - 1) / device::kTableBlock;
    device::double_points<F>
        <<<blocks, device::kTableBlock, 0, stream>>>(from + begin, here, doublings, points);
    const std::uint32_t stride = (here + device::kInversionBatch - 1) / device::kInversionBatch;
    device::normalise_points<F>
        <<<(stride + device::kTableBlock - 1) / device::kTableBlock, device::kTableBlock, 0, stream>>>(
            points, here, stride, prefixes, to + begin);
  }
  return last_cuda_status("multiples of points");
}

}  // namespace detail

template <class Group>
std::size_t MsmBases<Group>::build_scratch_bytes(std::uint32_t scalars) {
  const std::size_t chunk = std::min(scalars, detail::kTableChunk);
  return device_aligned(chunk * sizeof(GroupXyzz<Group>)) +
         device_aligned(chunk * sizeof(typename Group::Field));
}

template <class Group>
PresenceMap MsmBases<Group>::presence() const noexcept {
  if (presence_.data() == nullptr) {
    return {};
  }
  const auto* words = presence_.template as<std::uint32_t>();
  return {words, words + presence_words(scalars_)};
}

template <class Group>
Result<MsmBases<Group>> MsmBases<Group>::build(const std::byte* points, std::uint32_t count,
                                               std::uint32_t first, std::uint32_t scalars,
                                               const MsmWindows& windows, cudaStream_t stream) {
  if (std::uint64_t{first} + count > scalars) {
    return internal_error("bases: more points than scalars");
  }
  MsmBases bases;
  bases.windows_ = windows;
  bases.scalars_ = scalars;
  const std::size_t words = presence_words(scalars);
  BATON_ASSIGN_OR_RETURN(bases.presence_, DeviceBuffer::allocate(words * 2 * sizeof(std::uint32_t)));
  auto* map = bases.presence_.template as<std::uint32_t>();
  BATON_ASSIGN_OR_RETURN(
      bases.present_, find_present(points, count, sizeof(Affine), first, scalars, map, map + words, stream));
  BATON_ASSIGN_OR_RETURN(bases.table_, DeviceBuffer::allocate(table_bytes(bases.present_, windows)));
  BATON_RETURN_IF_ERROR(
      compact_present(points, count, sizeof(Affine), first, bases.presence(), bases.table_.data(), stream));
  BATON_RETURN_IF_ERROR(bases.fill_tables(stream));
  if (bases.present_ == scalars) {
    bases.presence_ = DeviceBuffer();
  }
  return Result<MsmBases>(std::move(bases));
}

template <class Group>
Status MsmBases<Group>::fill_tables(cudaStream_t stream) {
  BATON_ASSIGN_OR_RETURN(const DeviceBuffer scratch, DeviceBuffer::allocate(build_scratch_bytes(present_)));
  auto* table = table_.template as<Affine>();
  for (unsigned j = 1; j < windows_.tables && present_ != 0; ++j) {
    BATON_RETURN_IF_ERROR(detail::next_table<typename Group::Field>(
        table + std::size_t{j - 1} * present_, present_, windows_.doublings_between_tables(), scratch.data(),
        table + std::size_t{j} * present_, stream));
  }
  return cuda_status(cudaStreamSynchronize(stream), "multiples of points");
}

}  // namespace baton
