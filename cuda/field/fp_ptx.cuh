#pragma once

#include <cstdint>

#include "cuda/field/montgomery.cuh"

/// The hook of shared/math/fp.hpp: canonical in (below p), canonical out. Words are the 64-bit limbs of Fp
/// seen as little-endian pairs. Inputs and outputs may alias.

namespace baton::device {

template <class Params>
BATON_FIELD_FN void fp_mul(std::uint32_t* out, const std::uint32_t* a, const std::uint32_t* b) {
  mul_lazy<Params>(out, a, b);
  reduce_once<Params, 1>(out);
}

template <class Params>
BATON_FIELD_FN void fp_sqr(std::uint32_t* out, const std::uint32_t* a) {
  sqr_lazy<Params>(out, a);
  reduce_once<Params, 1>(out);
}

/// p < R / 2 for every field of ours: the sum does not leave n words.
template <class Params>
BATON_FIELD_FN void fp_add(std::uint32_t* out, const std::uint32_t* a, const std::uint32_t* b) {
  chain::add<kWords<Params>>(out, a, b);
  reduce_once<Params, 1>(out);
}

template <class Params>
BATON_FIELD_FN void fp_sub(std::uint32_t* out, const std::uint32_t* a, const std::uint32_t* b) {
  constexpr int n = kWords<Params>;
  constexpr ModulusWords<Params> modulus;
  const std::uint32_t borrow = chain::sub<n>(out, a, b);
  std::uint32_t masked[n];
  BATON_UNROLL
  for (int i = 0; i < n; ++i) {
    masked[i] = modulus.words[i] & borrow;
  }
  chain::add<n>(out, out, masked);
}

}  // namespace baton::device
