#pragma once

#include <cstring>

#include "cuda/msm/bases_impl.cuh"
#include "tests/gpu/support/known_points.hpp"

namespace baton::test {

template <class F>
__global__ void multiply_generator(device::Affine<F> generator, const std::uint32_t* factors,
                                   std::uint32_t count, device::Xyzz<F>* out) {
  const std::uint32_t i = blockIdx.x * 128 + threadIdx.x;
  if (i >= count) {
    return;
  }
  const std::uint32_t factor = factors[i];
  device::Xyzz<F> sum = device::Xyzz<F>::infinity();
#pragma unroll 1
  for (int bit = 30; bit >= 0; --bit) {
    sum = device::doubled(sum);
    if (((factor >> bit) & 1U) != 0) {
      device::add_affine(sum, generator);
    }
  }
  sum.y = sum.y.negated_if((factor & kNegative) != 0);
  out[i] = sum;
}

template <class Group>
Result<DeviceBuffer> known_points(std::span<const std::uint32_t> factors) {
  using F = typename Group::Field;
  const auto count = static_cast<std::uint32_t>(factors.size());
  const typename ReferenceOf<Group>::Affine reference = ReferenceOf<Group>::generator();
  device::Affine<F> generator;
  std::memcpy(&generator, &reference, sizeof generator);
  BATON_ASSIGN_OR_RETURN(DeviceBuffer points, DeviceBuffer::allocate(count * sizeof(device::Affine<F>)));
  BATON_ASSIGN_OR_RETURN(const DeviceBuffer sums, DeviceBuffer::allocate(count * sizeof(device::Xyzz<F>)));
  BATON_ASSIGN_OR_RETURN(const DeviceBuffer prefixes, DeviceBuffer::allocate(count * sizeof(F)));
  BATON_ASSIGN_OR_RETURN(const DeviceBuffer device_factors, DeviceBuffer::allocate(factors.size_bytes()));
  if (count != 0) {
    BATON_RETURN_IF_ERROR(cuda_status(
        cudaMemcpy(device_factors.data(), factors.data(), factors.size_bytes(), cudaMemcpyHostToDevice),
        "factors"));
    multiply_generator<F><<<(count + 127) / 128, 128>>>(generator, device_factors.as<std::uint32_t>(), count,
                                                        sums.as<device::Xyzz<F>>());
    const std::uint32_t stride = (count + 15) / 16;
    device::normalise_points<F><<<(stride + 127) / 128, 128>>>(
        sums.as<device::Xyzz<F>>(), count, stride, prefixes.as<F>(), points.as<device::Affine<F>>());
    BATON_RETURN_IF_ERROR(cuda_status(cudaDeviceSynchronize(), "known points"));
  }
  return Result<DeviceBuffer>(std::move(points));
}

}  // namespace baton::test
