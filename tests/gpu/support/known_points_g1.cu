#include "tests/gpu/support/known_points_impl.cuh"

namespace baton::test {

template Result<DeviceBuffer> known_points<Bn254G1Group>(std::span<const std::uint32_t>);
template Result<DeviceBuffer> known_points<Bls12_381G1Group>(std::span<const std::uint32_t>);

}  // namespace baton::test
