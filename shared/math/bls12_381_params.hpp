#pragma once

#include <cstddef>
#include <cstdint>

#include "shared/math/big_int.hpp"

namespace baton {

/// The base field of BLS12-381:
/// 4002409555221667393417789825735904156556882819939007885332058136124031650490837864442687629129015664037894272559787.
struct Bls12_381FqParams {
  static constexpr std::size_t kLimbs = 6;
  static constexpr unsigned kTwoAdicity = 1;
  /// The smallest quadratic non-residue >= 2.
  static constexpr std::uint64_t kNonResidue = 2;
  static constexpr const char* kName = "BLS12-381 Fq";

  BATON_HOST_DEVICE static constexpr BigInt<kLimbs> modulus() {
    return {{0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624, 0x64774b84f38512bf,
             0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a}};
  }
};

/// The scalar field of BLS12-381:
/// 52435875175126190479447740508185965837690552500527637822603658699938581184513.
/// Proving keys of snarkjs are tied to the 2-adic root that comes from the non-residue 5, not from the
/// generator 7 of other libraries.
struct Bls12_381FrParams {
  static constexpr std::size_t kLimbs = 4;
  static constexpr unsigned kTwoAdicity = 32;
  /// The smallest quadratic non-residue >= 2.
  static constexpr std::uint64_t kNonResidue = 5;
  static constexpr const char* kName = "BLS12-381 Fr";

  BATON_HOST_DEVICE static constexpr BigInt<kLimbs> modulus() {
    return {{0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48}};
  }
};

}  // namespace baton
