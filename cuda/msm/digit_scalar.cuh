#pragma once

#include <cstdint>

#include "cuda/msm/digits.hpp"

namespace baton {

inline constexpr unsigned kDigitBlock = 256;
inline constexpr std::uint32_t kSign = 0x80000000U;

inline unsigned digit_blocks(std::uint64_t items) {
  return static_cast<unsigned>((items + kDigitBlock - 1) / kDigitBlock);
}

/// The fewest bits that tell so many values apart.
inline unsigned bits_for(std::uint64_t values) {
  unsigned bits = 0;
  while (bits < 63 && (std::uint64_t{1} << bits) < values) {
    ++bits;
  }
  return bits;
}

/// A scalar reduced to at most r/2 in absolute value.
struct SignedScalar {
  std::uint32_t words[9];  ///< one word of zeros above
  bool negative;
};

__device__ inline bool exceeds(const std::uint32_t* a, const std::uint32_t* b) {
  for (int i = 7; i > 0; --i) {
    if (a[i] != b[i]) {
      return a[i] > b[i];
    }
  }
  return a[0] > b[0];
}

__device__ inline SignedScalar load_scalar(const uint4* scalars, std::uint32_t index,
                                           const ScalarModulus& modulus) {
  const uint4 low = scalars[2 * static_cast<std::size_t>(index)];
  const uint4 high = scalars[2 * static_cast<std::size_t>(index) + 1];
  SignedScalar s{{low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w, 0}, false};
  if (exceeds(s.words, modulus.half)) {
    s.negative = true;
    std::uint64_t borrow = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const std::uint64_t t = static_cast<std::uint64_t>(modulus.r[i]) - s.words[i] - borrow;
      s.words[i] = static_cast<std::uint32_t>(t);
      borrow = t >> 63;
    }
  }
  return s;
}

/// Calls visit(window, magnitude, negative) for every window from the lowest; magnitude 0 included.
template <class Visit>
__device__ void for_each_digit(SignedScalar s, unsigned window_bits, unsigned windows, Visit visit) {
  const std::uint32_t mask = (1U << window_bits) - 1;
  const std::uint32_t half = 1U << (window_bits - 1);
  std::uint32_t carry = 0;
  for (unsigned w = 0; w < windows; ++w) {
    const std::uint32_t digit = (s.words[0] & mask) + carry;
    carry = digit > half ? 1 : 0;
    const bool flip = carry != 0;
    visit(w, flip ? (mask + 1) - digit : digit, flip != s.negative);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      s.words[i] = __funnelshift_r(s.words[i], s.words[i + 1], window_bits);
    }
  }
}

}  // namespace baton
