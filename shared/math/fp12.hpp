#pragma once

#include <cstddef>

#include "shared/math/big_int.hpp"
#include "shared/math/fp6.hpp"
#include "shared/math/frobenius.hpp"

namespace baton {

/// The quadratic extension c0 + c1 w of Fp6 with w^2 = v: the target field of the pairing. Host only.
template <class Curve>
class Fp12 {
 public:
  using Fq2 = typename Curve::Fq2;
  using Fq6 = Fp6<Curve>;

  Fq6 c0;
  Fq6 c1;

  static constexpr Fp12 one() { return {Fq6::one(), Fq6::zero()}; }

  friend constexpr bool operator==(const Fp12& a, const Fp12& b) { return a.c0 == b.c0 && a.c1 == b.c1; }

  friend constexpr Fp12 operator*(const Fp12& a, const Fp12& b) {
    const Fq6 v0 = a.c0 * b.c0;
    const Fq6 v1 = a.c1 * b.c1;
    return {v0 + v1.times_v(), (a.c0 + a.c1) * (b.c0 + b.c1) - v0 - v1};
  }
  constexpr Fp12& operator*=(const Fp12& other) { return *this = *this * other; }

  constexpr Fp12 square() const {
    const Fq6 product = c0 * c1;
    return {(c0 + c1) * (c0 + c1.times_v()) - product - product.times_v(), product.doubled()};
  }

  /// This times b0 + b3 w + b4 v w.
  constexpr Fp12 times_034(const Fq2& b0, const Fq2& b3, const Fq2& b4) const {
    const Fq6 v0 = c0 * b0;
    const Fq6 v1 = c1.times_01(b3, b4);
    return {v0 + v1.times_v(), (c0 + c1).times_01(b0 + b3, b4) - v0 - v1};
  }

  /// This times b0 + b1 v + b4 v w.
  constexpr Fp12 times_014(const Fq2& b0, const Fq2& b1, const Fq2& b4) const {
    const Fq6 v0 = c0.times_01(b0, b1);
    const Fq6 v1 = c1.times_1(b4);
    return {v0 + v1.times_v(), (c0 + c1).times_01(b0, b1 + b4) - v0 - v1};
  }

  /// c0 - c1 w: the q^6-th power, and the inverse in the cyclotomic subgroup.
  constexpr Fp12 conjugate() const { return {c0, -c1}; }

  /// The multiplicative inverse; zero for zero.
  constexpr Fp12 inverse() const {
    const Fq6 scale = (c0.square() - c1.square().times_v()).inverse();
    return {c0 * scale, -(c1 * scale)};
  }

  /// The q-th power.
  constexpr Fp12 frobenius() const {
    const auto& gamma = Frobenius<Curve>::kGamma;
    return {{c0.c0.conjugate(), c0.c1.conjugate() * gamma[2], c0.c2.conjugate() * gamma[4]},
            {c1.c0.conjugate() * gamma[1], c1.c1.conjugate() * gamma[3], c1.c2.conjugate() * gamma[5]}};
  }

  template <std::size_t N>
  constexpr Fp12 pow(const BigInt<N>& exponent) const {
    Fp12 result = one();
    for (std::size_t i = exponent.bit_length(); i > 0; --i) {
      result = result.square();
      if (exponent.bit(i - 1)) {
        result *= *this;
      }
    }
    return result;
  }

  /// The square of an element of the cyclotomic subgroup (order dividing q^4 - q^2 + 1), by Granger and
  /// Scott: three squarings in Fq4.
  constexpr Fp12 cyclotomic_square() const {
    Fq2 a0;
    Fq2 a1;
    Fq2 b0;
    Fq2 b1;
    Fq2 d0;
    Fq2 d1;
    square_fq4(c0.c0, c1.c1, a0, a1);
    square_fq4(c1.c0, c0.c2, b0, b1);
    square_fq4(c0.c1, c1.c2, d0, d1);
    return {{thrice_minus_twice(a0, c0.c0), thrice_minus_twice(b0, c0.c1), thrice_minus_twice(d0, c0.c2)},
            {thrice_plus_twice(Curve::mul_by_xi(d1), c1.c0), thrice_plus_twice(a1, c1.c1),
             thrice_plus_twice(b1, c1.c2)}};
  }

 private:
  /// (r0 + r1 s) = (x0 + x1 s)^2 with s^2 = xi.
  static constexpr void square_fq4(const Fq2& x0, const Fq2& x1, Fq2& r0, Fq2& r1) {
    const Fq2 s0 = x0.square();
    const Fq2 s1 = x1.square();
    r0 = Curve::mul_by_xi(s1) + s0;
    r1 = (x0 + x1).square() - s0 - s1;
  }
  /// 3 a - 2 b
  static constexpr Fq2 thrice_minus_twice(const Fq2& a, const Fq2& b) { return (a - b).doubled() + a; }
  /// 3 a + 2 b
  static constexpr Fq2 thrice_plus_twice(const Fq2& a, const Fq2& b) { return (a + b).doubled() + a; }
};

}  // namespace baton
