#pragma once

#include <cstdint>

#include "shared/math/big_int.hpp"
#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "shared/math/frobenius.hpp"
#include "shared/math/pairing_params.hpp"
#include "shared/math/scalar_mul.hpp"

namespace baton {

/// psi: the q-th power on the curve, carried over to the twist. On G2 it multiplies by q.
template <class Curve>
typename Curve::G2Affine twist_frobenius(const typename Curve::G2Affine& point) {
  const auto& gamma = Frobenius<Curve>::kGamma;
  if constexpr (PairingParams<Curve>::kTwist == Twist::kDivides) {
    return {point.x.conjugate() * gamma[2], point.y.conjugate() * gamma[3]};
  } else {
    static constexpr auto kInverse2 = Frobenius<Curve>::kGamma[2].inverse();
    static constexpr auto kInverse3 = Frobenius<Curve>::kGamma[3].inverse();
    return {point.x.conjugate() * kInverse2, point.y.conjugate() * kInverse3};
  }
}

/// Whether a point on the curve is in the group of order r. Infinity is.
template <class Curve>
bool is_in_g1(const typename Curve::G1Affine& point);
template <class Curve>
bool is_in_g2(const typename Curve::G2Affine& point);

/// The curve's order is r.
template <>
inline bool is_in_g1<Bn254>(const Bn254::G1Affine& /*point*/) {
  return true;
}

/// (beta x, y) = -[x^2] (x, y) holds for the points of order r alone: the endomorphism phi has
/// phi^2 + phi + 1 = 0, and r = x^4 - x^2 + 1 (Scott, "A note on group membership tests", 2021).
template <>
inline bool is_in_g1<Bls12_381>(const Bls12_381::G1Affine& point) {
  using Fq = Bls12_381::Fq;
  static constexpr Fq kBeta = [] {
    auto exponent = Fq::Constants::minus_small(1);
    divide_small(exponent, 3);
    return Fq::from_u64(2).pow(exponent);
  }();
  constexpr auto kX = BigInt<1>::from_u64(PairingParams<Bls12_381>::kX);
  if (point.is_infinity()) {
    return true;
  }
  const auto image = Bls12_381::G1Xyzz::from_affine({point.x * kBeta, point.y});
  return image == -scalar_mul(scalar_mul(point, kX), kX);
}

/// psi(Q) = [6 x^2] Q holds for the points of order r alone: psi^2 - t psi + q = 0 with t - 1 = 6 x^2, and
/// q + 1 - t = r.
template <>
inline bool is_in_g2<Bn254>(const Bn254::G2Affine& point) {
  constexpr auto kX = BigInt<1>::from_u64(PairingParams<Bn254>::kX);
  if (point.is_infinity()) {
    return true;
  }
  const auto multiple = scalar_mul(scalar_mul(scalar_mul(point, kX), kX), BigInt<1>::from_u64(6));
  return Bn254::G2Xyzz::from_affine(twist_frobenius<Bn254>(point)) == multiple;
}

/// psi(Q) = [x] Q holds for the points of order r alone: q + 1 - t = h r with t - 1 = x, and h has no factor
/// in common with the twist's cofactor.
template <>
inline bool is_in_g2<Bls12_381>(const Bls12_381::G2Affine& point) {
  constexpr auto kX = BigInt<1>::from_u64(PairingParams<Bls12_381>::kX);
  if (point.is_infinity()) {
    return true;
  }
  return Bls12_381::G2Xyzz::from_affine(twist_frobenius<Bls12_381>(point)) == -scalar_mul(point, kX);
}

}  // namespace baton
