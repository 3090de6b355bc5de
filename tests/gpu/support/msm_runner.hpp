#pragma once

#include <cuda_runtime_api.h>

#include <cstring>
#include <span>
#include <vector>

#include "cuda/device/arena.hpp"
#include "cuda/device/cuda_status.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/msm/msm.hpp"
#include "tests/gpu/support/known_points.hpp"

namespace baton::test {

inline Result<DeviceBuffer> to_device(std::span<const std::byte> bytes) {
  BATON_ASSIGN_OR_RETURN(DeviceBuffer buffer, DeviceBuffer::allocate(bytes.size()));
  if (!bytes.empty()) {
    BATON_RETURN_IF_ERROR(cuda_status(
        cudaMemcpy(buffer.data(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "copy to the device"));
  }
  return Result<DeviceBuffer>(std::move(buffer));
}

/// One sum: its scalars, and points for the scalars from `first` on.
struct MsmInput {
  std::vector<std::uint32_t> factors;
  std::vector<BigInt<4>> scalars;
  std::uint32_t first = 0;
};

/// Plans, builds and runs the sum of the inputs (one or two) in one bucket set, over a poisoned arena. An odd
/// poison sorts by the way for dense scalars.
template <class Group>
Result<typename ReferenceOf<Group>::Affine> run_msm(std::span<const MsmInput> inputs,
                                                    const MsmWindows& windows, int poison) {
  BATON_ASSIGN_OR_RETURN(const Stream stream, Stream::create());
  std::vector<MsmBases<Group>> bases;
  std::vector<DigitSort> sorts;
  std::vector<DeviceBuffer> scalars;
  std::uint32_t capacity = 0;
  std::size_t bytes = 0;
  for (const MsmInput& input : inputs) {
    const auto count = static_cast<std::uint32_t>(input.scalars.size());
    BATON_ASSIGN_OR_RETURN(const DeviceBuffer points, known_points<Group>(input.factors));
    BATON_ASSIGN_OR_RETURN(
        auto base, MsmBases<Group>::build(points.data(), static_cast<std::uint32_t>(input.factors.size()),
                                          input.first, count, windows, stream.get()));
    bases.push_back(std::move(base));
    BATON_ASSIGN_OR_RETURN(const DigitSort sort,
                           DigitSort::plan(windows, count, ScalarModulus::of<typename Group::ScalarParams>(),
                                           poison % 2 == 0 ? DigitDensity::kSparse : DigitDensity::kDense));
    BATON_ASSIGN_OR_RETURN(const DigitFilter filter, DigitFilter::plan(sort));
    bytes += sort.bytes() + filter.bytes();
    capacity = std::max(capacity, sort.capacity());
    sorts.push_back(sort);
    BATON_ASSIGN_OR_RETURN(auto copy, to_device(std::as_bytes(std::span(input.scalars))));
    scalars.push_back(std::move(copy));
  }
  BATON_ASSIGN_OR_RETURN(const Msm<Group> msm, Msm<Group>::plan(windows, capacity));
  bytes += msm.bytes() + device_aligned(msm.sums() * sizeof(GroupXyzz<Group>));
  BATON_ASSIGN_OR_RETURN(const Arena arena, Arena::create(bytes));
  ArenaView view = arena.view();
  BATON_RETURN_IF_ERROR(
      cuda_status(cudaMemsetAsync(view.take<std::byte>(0), poison, arena.size(), stream.get()), "poison"));
  auto* sums = view.take<GroupXyzz<Group>>(msm.sums());
  std::vector<MsmSource<Group>> sources;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    BATON_ASSIGN_OR_RETURN(SortedDigits digits, sorts[i].run(scalars[i].data(), view, stream.get()));
    if (bases[i].needs_filter()) {
      BATON_ASSIGN_OR_RETURN(const DigitFilter filter, DigitFilter::plan(sorts[i]));
      BATON_ASSIGN_OR_RETURN(digits, filter.run(digits, bases[i].presence(), view, stream.get()));
    }
    sources.push_back({&bases[i], digits});
  }
  BATON_RETURN_IF_ERROR(msm.run(sources, view, stream.get(), sums));
  std::vector<GroupXyzz<Group>> host(msm.sums());
  BATON_RETURN_IF_ERROR(cuda_status(
      cudaMemcpyAsync(host.data(), sums, host.size() * sizeof host[0], cudaMemcpyDeviceToHost, stream.get()),
      "copy the sums"));
  BATON_RETURN_IF_ERROR(stream.synchronize());
  return to_reference<Group>(Msm<Group>::finish(host, windows));
}

}  // namespace baton::test
