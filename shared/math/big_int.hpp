#pragma once

#include <cstddef>
#include <cstdint>

#include "shared/math/host_device.hpp"

namespace baton {

__extension__ typedef unsigned __int128 Uint128;

/// An unsigned integer of N little-endian 64-bit limbs. Plain data: its bytes are the little-endian number.
template <std::size_t N>
struct BigInt {
  static constexpr std::size_t kLimbs = N;
  static constexpr std::size_t kBits = N * 64;

  std::uint64_t limbs[N] = {};

  BATON_HOST_DEVICE static constexpr BigInt from_u64(std::uint64_t value) {
    BigInt result;
    result.limbs[0] = value;
    return result;
  }

  BATON_HOST_DEVICE constexpr bool is_zero() const {
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < N; ++i) {
      any |= limbs[i];
    }
    return any == 0;
  }

  BATON_HOST_DEVICE constexpr bool is_odd() const { return (limbs[0] & 1) != 0; }

  /// Bit `index`; zero at and beyond kBits.
  BATON_HOST_DEVICE constexpr bool bit(std::size_t index) const {
    return index < kBits && ((limbs[index / 64] >> (index % 64)) & 1) != 0;
  }

  /// Number of bits up to the highest set one; zero for zero.
  BATON_HOST_DEVICE constexpr std::size_t bit_length() const {
    for (std::size_t i = kBits; i > 0; --i) {
      if (bit(i - 1)) {
        return i;
      }
    }
    return 0;
  }

  /// `count` <= 64 bits from `position` up; bits at and beyond kBits are zero.
  BATON_HOST_DEVICE constexpr std::uint64_t bits(std::size_t position, std::size_t count) const {
    const std::size_t limb = position / 64;
    const std::size_t shift = position % 64;
    std::uint64_t value = limb < N ? limbs[limb] >> shift : 0;
    if (shift != 0 && limb + 1 < N) {
      value |= limbs[limb + 1] << (64 - shift);
    }
    return count < 64 ? value & ((std::uint64_t{1} << count) - 1) : value;
  }

  BATON_HOST_DEVICE friend constexpr bool operator==(const BigInt& a, const BigInt& b) {
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i < N; ++i) {
      difference |= a.limbs[i] ^ b.limbs[i];
    }
    return difference == 0;
  }

  BATON_HOST_DEVICE friend constexpr bool operator<(const BigInt& a, const BigInt& b) {
    for (std::size_t i = N; i > 0; --i) {
      if (a.limbs[i - 1] != b.limbs[i - 1]) {
        return a.limbs[i - 1] < b.limbs[i - 1];
      }
    }
    return false;
  }
};

/// sum = a + b modulo 2^kBits; returns the carry.
template <std::size_t N>
BATON_HOST_DEVICE constexpr std::uint64_t add_with_carry(BigInt<N>& sum, const BigInt<N>& a,
                                                         const BigInt<N>& b) {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < N; ++i) {
    const Uint128 t = Uint128{a.limbs[i]} + b.limbs[i] + carry;
    sum.limbs[i] = static_cast<std::uint64_t>(t);
    carry = static_cast<std::uint64_t>(t >> 64);
  }
  return carry;
}

/// difference = a - b modulo 2^kBits; returns the borrow.
template <std::size_t N>
BATON_HOST_DEVICE constexpr std::uint64_t sub_with_borrow(BigInt<N>& difference, const BigInt<N>& a,
                                                          const BigInt<N>& b) {
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < N; ++i) {
    const Uint128 t = Uint128{a.limbs[i]} - b.limbs[i] - borrow;
    difference.limbs[i] = static_cast<std::uint64_t>(t);
    borrow = static_cast<std::uint64_t>(t >> 64) & 1;
  }
  return borrow;
}

/// value / 2^count, for count < 64.
template <std::size_t N>
BATON_HOST_DEVICE constexpr BigInt<N> shifted_right(BigInt<N> value, std::size_t count) {
  if (count == 0) {
    return value;
  }
  for (std::size_t i = 0; i < N; ++i) {
    const std::uint64_t above = i + 1 < N ? value.limbs[i + 1] << (64 - count) : 0;
    value.limbs[i] = (value.limbs[i] >> count) | above;
  }
  return value;
}

/// value = value * factor + addend modulo 2^kBits; returns the part above.
template <std::size_t N>
BATON_HOST_DEVICE constexpr std::uint64_t mul_add_small(BigInt<N>& value, std::uint64_t factor,
                                                        std::uint64_t addend) {
  std::uint64_t carry = addend;
  for (std::size_t i = 0; i < N; ++i) {
    const Uint128 t = Uint128{value.limbs[i]} * factor + carry;
    value.limbs[i] = static_cast<std::uint64_t>(t);
    carry = static_cast<std::uint64_t>(t >> 64);
  }
  return carry;
}

/// value = value / divisor; returns the remainder. The divisor is not zero.
template <std::size_t N>
BATON_HOST_DEVICE constexpr std::uint64_t divide_small(BigInt<N>& value, std::uint64_t divisor) {
  std::uint64_t remainder = 0;
  for (std::size_t i = N; i > 0; --i) {
    const Uint128 t = (Uint128{remainder} << 64) | value.limbs[i - 1];
    value.limbs[i - 1] = static_cast<std::uint64_t>(t / divisor);
    remainder = static_cast<std::uint64_t>(t % divisor);
  }
  return remainder;
}

}  // namespace baton
