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
    // Adding half a digit to each window but the last makes every digit independent of those below it.
    const unsigned bit = width_ * window;
    const std::size_t limb = bit / 64;
    const unsigned shift = bit % 64;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < limb; ++i) {
      add_biased(scalar, i, carry);
    }
    const std::uint64_t low = add_biased(scalar, limb, carry);
    const std::uint64_t high = limb + 1 < bias_.size() ? add_biased(scalar, limb + 1, carry) : 0;
    const std::uint64_t bits = (low >> shift) | ((high << 1) << (63 - shift));
    if (window + 1 == windows_) {
      return static_cast<std::int32_t>(bits);
    }
    const std::uint64_t mask = (std::uint64_t{1} << width_) - 1;
    return static_cast<std::int32_t>(bits & mask) - static_cast<std::int32_t>(buckets());
  }

 private:
  /// Limb `index` of scalar + bias, given the carry into it, which becomes the carry out of it.
  std::uint64_t add_biased(const std::byte* scalar, std::size_t index, std::uint64_t& carry) const noexcept {
    std::uint64_t limb = 0;
    std::memcpy(&limb, scalar + sizeof(limb) * index, sizeof(limb));
    const Uint128 sum = Uint128{limb} + bias_[index] + carry;
    carry = static_cast<std::uint64_t>(sum >> 64);
    return static_cast<std::uint64_t>(sum);
  }

  unsigned width_;
  unsigned windows_;
  std::array<std::uint64_t, 4> bias_{};
};

}  // namespace baton
