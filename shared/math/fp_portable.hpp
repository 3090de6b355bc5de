#pragma once

#include <cstddef>
#include <cstdint>

#include "shared/math/big_int.hpp"
#include "shared/math/fp_constants.hpp"

/// Field arithmetic in plain C++: the reference for the other bodies, what compile-time evaluation uses, and
/// the fallback on machines without MULX and ADX. Operands and results are fully reduced.
namespace baton::portable {

/// value - p if value >= p.
template <class Params>
BATON_HOST_DEVICE constexpr BigInt<Params::kLimbs> reduce_once(const BigInt<Params::kLimbs>& value) {
  constexpr auto kModulus = Params::modulus();
  BigInt<Params::kLimbs> reduced;
  const std::uint64_t keep = 0 - sub_with_borrow(reduced, value, kModulus);
  for (std::size_t i = 0; i < Params::kLimbs; ++i) {
    reduced.limbs[i] = (value.limbs[i] & keep) | (reduced.limbs[i] & ~keep);
  }
  return reduced;
}

template <class Params>
BATON_HOST_DEVICE constexpr BigInt<Params::kLimbs> add(const BigInt<Params::kLimbs>& a,
                                                       const BigInt<Params::kLimbs>& b) {
  BigInt<Params::kLimbs> sum;
  add_with_carry(sum, a, b);
  return reduce_once<Params>(sum);
}

template <class Params>
BATON_HOST_DEVICE constexpr BigInt<Params::kLimbs> sub(const BigInt<Params::kLimbs>& a,
                                                       const BigInt<Params::kLimbs>& b) {
  constexpr auto kModulus = Params::modulus();
  BigInt<Params::kLimbs> difference;
  const std::uint64_t mask = 0 - sub_with_borrow(difference, a, b);
  BigInt<Params::kLimbs> correction;
  for (std::size_t i = 0; i < Params::kLimbs; ++i) {
    correction.limbs[i] = kModulus.limbs[i] & mask;
  }
  add_with_carry(difference, difference, correction);
  return difference;
}

/// a * b / R, by operand scanning with interleaved reduction (CIOS without the top carry).
template <class Params>
BATON_HOST_DEVICE constexpr BigInt<Params::kLimbs> mul(const BigInt<Params::kLimbs>& a,
                                                       const BigInt<Params::kLimbs>& b) {
  constexpr auto kModulus = Params::modulus();
  constexpr std::uint64_t kInverse = FpConstants<Params>::kNegativeInverse;
  constexpr std::size_t kLast = Params::kLimbs - 1;
  BigInt<Params::kLimbs> t;
  for (std::size_t i = 0; i < Params::kLimbs; ++i) {
    Uint128 product = Uint128{a.limbs[0]} * b.limbs[i] + t.limbs[0];
    const std::uint64_t m = static_cast<std::uint64_t>(product) * kInverse;
    Uint128 reduction = Uint128{m} * kModulus.limbs[0] + static_cast<std::uint64_t>(product);
    for (std::size_t j = 1; j < Params::kLimbs; ++j) {
      product = Uint128{a.limbs[j]} * b.limbs[i] + t.limbs[j] + static_cast<std::uint64_t>(product >> 64);
      reduction = Uint128{m} * kModulus.limbs[j] + static_cast<std::uint64_t>(product) +
                  static_cast<std::uint64_t>(reduction >> 64);
      t.limbs[j - 1] = static_cast<std::uint64_t>(reduction);
    }
    t.limbs[kLast] = static_cast<std::uint64_t>(product >> 64) + static_cast<std::uint64_t>(reduction >> 64);
  }
  return reduce_once<Params>(t);
}

}  // namespace baton::portable
