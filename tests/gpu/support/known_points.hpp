#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "cuda/device/device_buffer.hpp"
#include "cuda/msm/groups.hpp"
#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "shared/math/scalar_mul.hpp"

namespace baton::test {

/// The reference types of a group of device code.
template <class Group>
struct ReferenceOf;
template <>
struct ReferenceOf<Bn254G1Group> {
  using Curve = Bn254;
  using Affine = Bn254::G1Affine;
  static constexpr const char* kName = "BN254 G1";
  static Affine generator() { return Bn254::g1_generator(); }
};
template <>
struct ReferenceOf<Bn254G2Group> {
  using Curve = Bn254;
  using Affine = Bn254::G2Affine;
  static constexpr const char* kName = "BN254 G2";
  static Affine generator() { return Bn254::g2_generator(); }
};
template <>
struct ReferenceOf<Bls12_381G1Group> {
  using Curve = Bls12_381;
  using Affine = Bls12_381::G1Affine;
  static constexpr const char* kName = "BLS12-381 G1";
  static Affine generator() { return Bls12_381::g1_generator(); }
};
template <>
struct ReferenceOf<Bls12_381G2Group> {
  using Curve = Bls12_381;
  using Affine = Bls12_381::G2Affine;
  static constexpr const char* kName = "BLS12-381 G2";
  static Affine generator() { return Bls12_381::g2_generator(); }
};

/// A factor: 31 bits of magnitude, the highest bit is the sign.
inline constexpr std::uint32_t kNegative = 0x80000000U;

/// factors[i] times the generator as affine points in device memory; infinity for zero.
template <class Group>
Result<DeviceBuffer> known_points(std::span<const std::uint32_t> factors);

extern template Result<DeviceBuffer> known_points<Bn254G1Group>(std::span<const std::uint32_t>);
extern template Result<DeviceBuffer> known_points<Bn254G2Group>(std::span<const std::uint32_t>);
extern template Result<DeviceBuffer> known_points<Bls12_381G1Group>(std::span<const std::uint32_t>);
extern template Result<DeviceBuffer> known_points<Bls12_381G2Group>(std::span<const std::uint32_t>);

/// What the sum of scalars[i] * known_points(factors)[i] must be: one multiplication on the host. Scalars are
/// below r.
template <class Group>
typename ReferenceOf<Group>::Affine known_sum(std::span<const std::uint32_t> factors,
                                              std::span<const BigInt<4>> scalars) {
  using Fr = typename ReferenceOf<Group>::Curve::Fr;
  Fr sum = Fr::zero();
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (scalars[i].is_zero() || factors[i] == 0) {
      continue;
    }
    // Montgomery limbs of s / R times those of f gives s f / R; one multiplication by R^2 in the end undoes
    // it.
    const Fr product = Fr::from_montgomery_limbs(scalars[i]) *
                       Fr::from_montgomery_limbs(BigInt<4>::from_u64(factors[i] & ~kNegative));
    sum = (factors[i] & kNegative) != 0 ? sum - product : sum + product;
  }
  const Fr scaled = Fr::from_canonical_unchecked(sum.limbs());
  return scalar_mul(ReferenceOf<Group>::generator(), scaled.limbs()).to_affine();
}

template <class Group>
typename ReferenceOf<Group>::Affine to_reference(const GroupAffine<Group>& point) {
  return ReferenceOf<Group>::Affine::load(reinterpret_cast<const std::byte*>(&point));
}

}  // namespace baton::test
