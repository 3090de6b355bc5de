#pragma once

#include <cstddef>
#include <cstdint>

#include "shared/math/big_int.hpp"

namespace baton {

/// The base field of BN254:
/// 21888242871839275222246405745257275088696311157297823662689037894645226208583.
struct Bn254FqParams {
  static constexpr std::size_t kLimbs = 4;
  static constexpr unsigned kTwoAdicity = 1;
  /// The smallest quadratic non-residue >= 2.
  static constexpr std::uint64_t kNonResidue = 3;
  static constexpr const char* kName = "BN254 Fq";

  BATON_HOST_DEVICE static constexpr BigInt<kLimbs> modulus() {
    return {{0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029}};
  }
};

/// The scalar field of BN254:
/// 21888242871839275222246405745257275088548364400416034343698204186575808495617.
struct Bn254FrParams {
  static constexpr std::size_t kLimbs = 4;
  static constexpr unsigned kTwoAdicity = 28;
  /// The smallest quadratic non-residue >= 2.
  static constexpr std::uint64_t kNonResidue = 5;
  static constexpr const char* kName = "BN254 Fr";

  BATON_HOST_DEVICE static constexpr BigInt<kLimbs> modulus() {
    return {{0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029}};
  }
};

}  // namespace baton
