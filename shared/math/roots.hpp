#pragma once

#include <cstddef>

#include "shared/math/fp.hpp"

namespace baton {

/// The primitive 2^kTwoAdicity-th root of unity to which proving keys are tied: the non-residue of the field
/// to the power of (p - 1) / 2^kTwoAdicity.
template <class Field>
constexpr Field two_adic_root() {
  using Params = typename Field::Params;
  const auto exponent = shifted_right(FpConstants<Params>::minus_small(1), Params::kTwoAdicity);
  return Field::from_u64(Params::kNonResidue).pow(exponent);
}

/// The generator w_k of the domain of size 2^log_size; log_size <= kTwoAdicity.
template <class Field>
constexpr Field root_of_unity(unsigned log_size) {
  constexpr Field kRoot = two_adic_root<Field>();
  Field root = kRoot;
  for (unsigned k = Field::Params::kTwoAdicity; k > log_size; --k) {
    root = root.square();
  }
  return root;
}

}  // namespace baton
