#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "shared/formats/byte_reader.hpp"
#include "shared/math/big_int.hpp"
#include "shared/math/bls12_381_params.hpp"
#include "shared/math/bn254_params.hpp"
#include "shared/math/curve_id.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// Bytes of a scalar, and of a scalar field's prime, on both curves.
inline constexpr std::size_t kScalarBytes = 32;

/// Bytes of a coordinate in the base field of `curve`.
[[nodiscard]] constexpr std::size_t coordinate_bytes(CurveId curve) noexcept {
  return curve == CurveId::kBn254 ? 32 : 48;
}
[[nodiscard]] constexpr std::size_t g1_bytes(CurveId curve) noexcept {
  return 2 * coordinate_bytes(curve);
}
[[nodiscard]] constexpr std::size_t g2_bytes(CurveId curve) noexcept {
  return 4 * coordinate_bytes(curve);
}

/// The order r of the groups of `curve`.
[[nodiscard]] constexpr BigInt<4> scalar_modulus(CurveId curve) noexcept {
  return curve == CurveId::kBn254 ? Bn254FrParams::modulus() : Bls12_381FrParams::modulus();
}

/// 2^k is the largest power of two that divides r - 1.
[[nodiscard]] constexpr unsigned scalar_two_adicity(CurveId curve) noexcept {
  return curve == CurveId::kBn254 ? Bn254FrParams::kTwoAdicity : Bls12_381FrParams::kTwoAdicity;
}

/// The name that snarkjs writes: "bn128" or "bls12381".
[[nodiscard]] std::string_view curve_name(CurveId curve) noexcept;

/// The integer in `N * 8` little-endian bytes.
template <std::size_t N>
[[nodiscard]] BigInt<N> load_integer(const std::byte* bytes) noexcept {
  BigInt<N> value;
  std::memcpy(value.limbs, bytes, sizeof value.limbs);
  return value;
}

/// Takes "u32 n8, prime" from the front of a header and tells the curve whose scalar field that is. The
/// messages name the prime of another curve that circom knows.
[[nodiscard]] Result<CurveId> take_scalar_field(ByteReader& reader);

/// The same for a base field.
[[nodiscard]] Result<CurveId> take_base_field(ByteReader& reader);

}  // namespace baton
