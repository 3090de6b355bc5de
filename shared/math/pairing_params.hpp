#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "shared/math/big_int.hpp"
#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"

namespace baton {

/// How the twist E' of G2 lies over the curve: y^2 = x^3 + b / xi (kDivides) or y^2 = x^3 + b xi
/// (kMultiplies).
enum class Twist : std::uint8_t { kDivides, kMultiplies };

/// The non-adjacent form of `value`, lowest digit first.
template <std::size_t N>
constexpr std::array<std::int8_t, N> non_adjacent_form(Uint128 value) {
  std::array<std::int8_t, N> digits{};
  for (std::size_t i = 0; i < N; ++i) {
    if ((value & 1) != 0) {
      digits[i] = (value & 3) == 1 ? 1 : -1;
      value -= static_cast<Uint128>(static_cast<std::int64_t>(digits[i]));
    }
    value >>= 1;
  }
  return digits;
}

/// The curve's parameter x, and the Miller loop of its optimal ate pairing: over kLoop, highest digit first,
/// which is a one.
template <class Curve>
struct PairingParams;

template <>
struct PairingParams<Bn254> {
  static constexpr std::uint64_t kX = 4965661367192848881;
  static constexpr bool kXIsNegative = false;
  static constexpr Twist kTwist = Twist::kDivides;
  /// 6 x + 2
  static constexpr auto kLoop = non_adjacent_form<66>(Uint128{kX} * 6 + 2);
  static_assert(kLoop.back() == 1);
};

template <>
struct PairingParams<Bls12_381> {
  static constexpr std::uint64_t kX = 0xd201000000010000;
  static constexpr bool kXIsNegative = true;
  static constexpr Twist kTwist = Twist::kMultiplies;
  /// |x|
  static constexpr auto kLoop = non_adjacent_form<65>(Uint128{kX});
  static_assert(kLoop.back() == 1);
};

}  // namespace baton
