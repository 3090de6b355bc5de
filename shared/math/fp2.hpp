#pragma once

#include <cstddef>
#include <cstdint>

#include "shared/math/fp.hpp"

namespace baton {

/// The quadratic extension c0 + c1 * u with u^2 = -1, over a field where -1 is no square. Same interface,
/// bytes and reduction promise as Fp; the bytes are those of c0, then of c1.
template <class Fq>
class Fp2 {
 public:
  using Base = Fq;
  static constexpr std::size_t kBytes = 2 * Fq::kBytes;

  Fq c0;
  Fq c1;

  BATON_HOST_DEVICE static constexpr Fp2 zero() { return {Fq::zero(), Fq::zero()}; }
  BATON_HOST_DEVICE static constexpr Fp2 one() { return {Fq::one(), Fq::zero()}; }
  BATON_HOST_DEVICE static constexpr Fp2 from_u64(std::uint64_t value) {
    return {Fq::from_u64(value), Fq::zero()};
  }

  static Fp2 load(const std::byte* bytes) { return {Fq::load(bytes), Fq::load(bytes + Fq::kBytes)}; }
  void store(std::byte* bytes) const {
    c0.store(bytes);
    c1.store(bytes + Fq::kBytes);
  }

  BATON_HOST_DEVICE constexpr bool is_reduced() const { return c0.is_reduced() && c1.is_reduced(); }
  BATON_HOST_DEVICE constexpr bool is_zero() const { return c0.is_zero() && c1.is_zero(); }

  BATON_HOST_DEVICE friend constexpr bool operator==(const Fp2& a, const Fp2& b) {
    return a.c0 == b.c0 && a.c1 == b.c1;
  }
  BATON_HOST_DEVICE friend constexpr Fp2 operator+(const Fp2& a, const Fp2& b) {
    return {a.c0 + b.c0, a.c1 + b.c1};
  }
  BATON_HOST_DEVICE friend constexpr Fp2 operator-(const Fp2& a, const Fp2& b) {
    return {a.c0 - b.c0, a.c1 - b.c1};
  }
  BATON_HOST_DEVICE friend constexpr Fp2 operator*(const Fp2& a, const Fp2& b) {
#if !defined(__CUDA_ARCH__) && defined(BATON_X86_FIELD)
    if (!__builtin_is_constant_evaluated()) {
      return {Fq::sum_of_products(a.c0, b.c0, -a.c1, b.c1), Fq::sum_of_products(a.c0, b.c1, a.c1, b.c0)};
    }
#endif
    const Fq v0 = a.c0 * b.c0;
    const Fq v1 = a.c1 * b.c1;
    return {v0 - v1, (a.c0 + a.c1) * (b.c0 + b.c1) - v0 - v1};
  }
  BATON_HOST_DEVICE friend constexpr Fp2 operator*(const Fp2& a, const Fq& scale) {
    return {a.c0 * scale, a.c1 * scale};
  }
  BATON_HOST_DEVICE constexpr Fp2 operator-() const {
    return {-c0, -c1};
  }
  /// This, or minus this if `negative`; branch-free.
  BATON_HOST_DEVICE constexpr Fp2 negated_if(bool negative) const {
    return {c0.negated_if(negative), c1.negated_if(negative)};
  }
  BATON_HOST_DEVICE constexpr Fp2& operator+=(const Fp2& other) {
    return *this = *this + other;
  }
  BATON_HOST_DEVICE constexpr Fp2& operator-=(const Fp2& other) {
    return *this = *this - other;
  }
  BATON_HOST_DEVICE constexpr Fp2& operator*=(const Fp2& other) {
    return *this = *this * other;
  }

  BATON_HOST_DEVICE constexpr Fp2 square() const {
    const Fq product = c0 * c1;
    return {(c0 + c1) * (c0 - c1), product.doubled()};
  }
  BATON_HOST_DEVICE constexpr Fp2 doubled() const {
    return {c0.doubled(), c1.doubled()};
  }

  /// c0 - c1 * u, which is also the p-th power.
  BATON_HOST_DEVICE constexpr Fp2 conjugate() const {
    return {c0, -c1};
  }

  /// The multiplicative inverse; zero for zero.
  BATON_HOST_DEVICE constexpr Fp2 inverse() const {
    const Fq scale = (c0.square() + c1.square()).inverse();
    return {c0 * scale, -(c1 * scale)};
  }

  template <std::size_t N>
  BATON_HOST_DEVICE constexpr Fp2 pow(const BigInt<N>& exponent) const {
    Fp2 result = one();
    for (std::size_t i = exponent.bit_length(); i > 0; --i) {
      result = result.square();
      if (exponent.bit(i - 1)) {
        result = result * *this;
      }
    }
    return result;
  }
};

}  // namespace baton
