#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "shared/math/big_int.hpp"

namespace baton {

/// The number that `text` spells in decimal digits alone. Nothing when it is empty, holds any other
/// character, or does not fit N limbs.
template <std::size_t N>
constexpr std::optional<BigInt<N>> parse_decimal(std::string_view text) {
  if (text.empty()) {
    return std::nullopt;
  }
  BigInt<N> value;
  for (const char c : text) {
    if (c < '0' || c > '9') {
      return std::nullopt;
    }
    if (mul_add_small(value, 10, static_cast<std::uint64_t>(c - '0')) != 0) {
      return std::nullopt;
    }
  }
  return value;
}

/// Decimal digits without leading zeros; "0" for zero.
template <std::size_t N>
std::string to_decimal(BigInt<N> value) {
  constexpr std::uint64_t kChunk = 10'000'000'000'000'000'000U;
  constexpr std::size_t kChunkDigits = 19;
  std::string reversed;
  while (!value.is_zero()) {
    std::uint64_t chunk = divide_small(value, kChunk);
    for (std::size_t i = 0; i < kChunkDigits; ++i) {
      reversed.push_back(static_cast<char>('0' + chunk % 10));
      chunk /= 10;
    }
  }
  while (!reversed.empty() && reversed.back() == '0') {
    reversed.pop_back();
  }
  return reversed.empty() ? "0" : std::string(reversed.rbegin(), reversed.rend());
}

}  // namespace baton
