#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "shared/formats/prime_field.hpp"
#include "shared/math/big_int.hpp"

namespace baton {

/// How scalars are cut into signed digits of `width` bits: k = sum digit_i 2^(width i), with
/// -2^(width - 1) <= digit_i < 2^(width - 1), except that the last digit is never negative and at most
/// 2^(width - 1). Scalars must be below 2^scalar_bits.
class DigitPlan {
 public:
  DigitPlan(unsigned width, unsigned scalar_bits) noexcept
      : width_(width), windows_((scalar_bits + width) / width) {
    for (unsigned i = 0; i + 1 < windows_; ++i) {
      const unsigned bit = width * i + width - 1;
      bias_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
  }

  [[nodiscard]] unsigned width() const noexcept { return width_; }
  [[nodiscard]] unsigned windows() const noexcept { return windows_; }
  /// Digits have absolute values 1 to this many.
  [[nodiscard]] std::size_t buckets() const noexcept { return std::size_t{1} << (width_ - 1); }

  /// Windows from this one on have only zero digits for scalars below 2^bits: m full windows reach
  /// (2^(width - 1) - 1) (2^(width m) - 1) / (2^width - 1), which is more than 2^(width m - 2).
  [[nodiscard]] unsigned windows_of_bits(unsigned bits) const noexcept {
    return (bits + 1 + width_) / width_;
  }

  /// Digit `window` of the canonical little-endian scalar at `scalar` (any alignment).
  [[nodiscard]] std::int32_t digit(const std::byte* scalar, unsigned window) const noexcept {
    std::array<std::uint64_t, 5> k{};
    std::memcpy(k.data(), scalar, kScalarBytes);
    // Adding half a digit to each window but the last makes every digit independent of those below it.
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < bias_.size(); ++i) {
      const Uint128 sum = Uint128{k[i]} + bias_[i] + carry;
      k[i] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64);
    }
    const unsigned bit = width_ * window;
    const std::size_t limb = bit / 64;
    const unsigned shift = bit % 64;
    const std::uint64_t bits = (k[limb] >> shift) | ((k[limb + 1] << 1) << (63 - shift));
    if (window + 1 == windows_) {
      return static_cast<std::int32_t>(bits);
    }
    const std::uint64_t mask = (std::uint64_t{1} << width_) - 1;
    return static_cast<std::int32_t>(bits & mask) - static_cast<std::int32_t>(buckets());
  }

 private:
  unsigned width_;
  unsigned windows_;
  std::array<std::uint64_t, 4> bias_{};
};

}  // namespace baton
