#pragma once

#include <cstddef>
#include <cstdint>

#include "shared/math/big_int.hpp"

namespace baton {

/// What Montgomery arithmetic modulo Params::modulus() needs, all derived from it at compile time. R is
/// 2^(64 * kLimbs).
template <class Params>
struct __attribute__((visibility("hidden"))) FpConstants {
  static constexpr std::size_t kLimbs = Params::kLimbs;
  using Int = BigInt<kLimbs>;

  /// -p^-1 modulo 2^64.
  BATON_HOST_DEVICE static constexpr std::uint64_t negative_inverse() {
    const std::uint64_t p0 = Params::modulus().limbs[0];
    std::uint64_t inverse = 1;
    for (int i = 0; i < 6; ++i) {
      inverse *= 2 - p0 * inverse;
    }
    return 0 - inverse;
  }

  /// 2^exponent modulo p.
  BATON_HOST_DEVICE static constexpr Int power_of_two(std::size_t exponent) {
    Int value = Int::from_u64(1);
    for (std::size_t i = 0; i < exponent; ++i) {
      add_with_carry(value, value, value);
      if (!(value < kModulus)) {
        sub_with_borrow(value, value, kModulus);
      }
    }
    return value;
  }

  BATON_HOST_DEVICE static constexpr Int minus_small(std::uint64_t amount) {
    Int value;
    sub_with_borrow(value, kModulus, Int::from_u64(amount));
    return value;
  }

  static constexpr Int kModulus = Params::modulus();
  static constexpr std::uint64_t kNegativeInverse = negative_inverse();
  static constexpr Int kR = power_of_two(Int::kBits);       ///< R mod p, one in Montgomery form
  static constexpr Int kR2 = power_of_two(2 * Int::kBits);  ///< R^2 mod p
  static constexpr Int kModulusMinusTwo = minus_small(2);   ///< the exponent of inversion
  static constexpr std::size_t kBits = kModulus.bit_length();

  static_assert(kModulus.is_odd());
  static_assert(kModulus.limbs[0] * kNegativeInverse == ~std::uint64_t{0});
  // The multiplications skip the carry out of the top limb, and sums of two elements fit the limbs.
  static_assert(kModulus.limbs[kLimbs - 1] < ~std::uint64_t{0} / 2);
  static_assert(kR < kModulus && kR2 < kModulus);
};

}  // namespace baton
