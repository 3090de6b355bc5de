#pragma once

namespace baton {

/// The cubic extension c0 + c1 v + c2 v^2 of Fq2 with v^3 = xi.
template <class Curve>
class Fp6 {
 public:
  using Fq2 = typename Curve::Fq2;

  Fq2 c0;
  Fq2 c1;
  Fq2 c2;

  static constexpr Fp6 zero() { return {Fq2::zero(), Fq2::zero(), Fq2::zero()}; }
  static constexpr Fp6 one() { return {Fq2::one(), Fq2::zero(), Fq2::zero()}; }

  constexpr bool is_zero() const { return c0.is_zero() && c1.is_zero() && c2.is_zero(); }
  friend constexpr bool operator==(const Fp6& a, const Fp6& b) {
    return a.c0 == b.c0 && a.c1 == b.c1 && a.c2 == b.c2;
  }
  friend constexpr Fp6 operator+(const Fp6& a, const Fp6& b) {
    return {a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2};
  }
  friend constexpr Fp6 operator-(const Fp6& a, const Fp6& b) {
    return {a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2};
  }
  constexpr Fp6 operator-() const { return {-c0, -c1, -c2}; }
  constexpr Fp6 doubled() const { return {c0.doubled(), c1.doubled(), c2.doubled()}; }

  friend constexpr Fp6 operator*(const Fp6& a, const Fp6& b) {
    const Fq2 v0 = a.c0 * b.c0;
    const Fq2 v1 = a.c1 * b.c1;
    const Fq2 v2 = a.c2 * b.c2;
    return {v0 + Curve::mul_by_xi((a.c1 + a.c2) * (b.c1 + b.c2) - v1 - v2),
            (a.c0 + a.c1) * (b.c0 + b.c1) - v0 - v1 + Curve::mul_by_xi(v2),
            (a.c0 + a.c2) * (b.c0 + b.c2) - v0 - v2 + v1};
  }
  friend constexpr Fp6 operator*(const Fp6& a, const Fq2& scale) {
    return {a.c0 * scale, a.c1 * scale, a.c2 * scale};
  }

  constexpr Fp6 square() const { return *this * *this; }

  /// This times v.
  constexpr Fp6 times_v() const { return {Curve::mul_by_xi(c2), c0, c1}; }

  /// This times b0 + b1 v.
  constexpr Fp6 times_01(const Fq2& b0, const Fq2& b1) const {
    const Fq2 v0 = c0 * b0;
    const Fq2 v1 = c1 * b1;
    return {v0 + Curve::mul_by_xi((c1 + c2) * b1 - v1), (c0 + c1) * (b0 + b1) - v0 - v1,
            (c0 + c2) * b0 - v0 + v1};
  }

  /// This times b1 v.
  constexpr Fp6 times_1(const Fq2& b1) const { return {Curve::mul_by_xi(c2 * b1), c0 * b1, c1 * b1}; }

  /// The multiplicative inverse; zero for zero.
  constexpr Fp6 inverse() const {
    const Fq2 t0 = c0.square() - Curve::mul_by_xi(c1 * c2);
    const Fq2 t1 = Curve::mul_by_xi(c2.square()) - c0 * c1;
    const Fq2 t2 = c1.square() - c0 * c2;
    const Fq2 scale = (c0 * t0 + Curve::mul_by_xi(c2 * t1 + c1 * t2)).inverse();
    return {t0 * scale, t1 * scale, t2 * scale};
  }
};

}  // namespace baton
