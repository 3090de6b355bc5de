#pragma once

#include <cstdint>
#include <optional>

#include "shared/math/big_int.hpp"
#include "shared/math/curve_affine.hpp"
#include "shared/math/fp.hpp"
#include "shared/math/fp2.hpp"

namespace baton {

/// A square root in a field with q = 3 modulo 4, if there is one.
template <class Params>
std::optional<Fp<Params>> square_root(const Fp<Params>& a) {
  BigInt<Params::kLimbs> exponent;
  add_with_carry(exponent, Params::modulus(), BigInt<Params::kLimbs>::from_u64(1));
  const Fp<Params> root = a.pow(shifted_right(exponent, 2));
  return root.square() == a ? std::optional(root) : std::nullopt;
}

/// Adj and Rodriguez-Henriquez, "Square root computation over even extension fields", algorithm 9.
template <class Fq>
std::optional<Fp2<Fq>> square_root(const Fp2<Fq>& a) {
  const auto a1 = a.pow(shifted_right(Fq::Constants::minus_small(3), 2));
  const auto x0 = a1 * a;
  const auto alpha = a1 * x0;
  const Fp2<Fq> minus_one = -Fp2<Fq>::one();
  const auto root = alpha == minus_one
                        ? Fp2<Fq>{-x0.c1, x0.c0}
                        : (alpha + Fp2<Fq>::one()).pow(shifted_right(Fq::Constants::minus_small(1), 1)) * x0;
  return root.square() == a ? std::optional(root) : std::nullopt;
}

template <class Params>
Fp<Params> small_x(std::uint64_t value, Fp<Params>* /*type*/) {
  return Fp<Params>::from_u64(value);
}
template <class Fq>
Fp2<Fq> small_x(std::uint64_t value, Fp2<Fq>* /*type*/) {
  return {Fq::from_u64(value), Fq::one()};
}

/// Some point of y^2 = x^3 + b, seldom in the subgroup where there is a proper one; other seeds give others.
template <class Field>
CurveAffine<Field> some_curve_point(const Field& b, std::uint64_t seed) {
  for (std::uint64_t candidate = seed * 1000 + 1;; ++candidate) {
    const Field x = small_x(candidate, static_cast<Field*>(nullptr));
    if (const auto y = square_root(x.square() * x + b)) {
      return {x, *y};
    }
  }
}

}  // namespace baton
