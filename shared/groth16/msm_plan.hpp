#pragma once

#include <cstddef>

#include "shared/groth16/scalar_digits.hpp"

namespace baton {

/// Scalars below 2^kNarrowBits are narrow: they have no non-zero digits in most windows.
inline constexpr unsigned kNarrowBits = 64;

inline constexpr unsigned kMinDigitWidth = 3;
inline constexpr unsigned kMaxDigitWidth = 16;

/// The digit width with the least estimated work for `count` scalars below 2^scalar_bits of which `wide` are
/// not narrow.
[[nodiscard]] DigitPlan choose_digit_plan(std::size_t count, std::size_t wide, unsigned scalar_bits);

}  // namespace baton
