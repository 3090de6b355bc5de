#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <bit>
#include <span>

#include "shared/groth16/ntt.hpp"

namespace baton {

/// c[i] = a[i] * b[i]: the third vector of a constraint system whose C matrix is not known.
template <class Fr>
void multiply_pointwise(std::span<const Fr> a, std::span<const Fr> b, std::span<Fr> c) {
  detail::for_pieces(c.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      c[i] = a[i] * b[i];
    }
  });
}

/// The scalars of the H points. In: the values of a, b, c (Montgomery) on the domain of a.size() elements.
/// Out: a[i] holds, as plain canonical limbs, a'b' - c' at the odd point w_2n^(2i + 1); b and c hold rubbish.
/// Uses the threads of the caller's arena.
template <class Fr>
void quotient_in_place(std::span<Fr> a, std::span<Fr> b, std::span<Fr> c, const RootTable<Fr>& table) {
  const std::size_t n = a.size();
  const std::array<Fr*, 3> vectors = {a.data(), b.data(), c.data()};
  tbb::parallel_for(0, 3, [&](int v) {
    inverse_ntt(vectors[static_cast<std::size_t>(v)], n, table);
    coset_ntt(vectors[static_cast<std::size_t>(v)], n, table);
  });
  // The transforms leave factors n (in each vector), and products by these raw limbs leave Montgomery form.
  const Fr inverse_n = Fr::from_u64(n).inverse();
  const Fr plain_n1 = Fr::from_montgomery_limbs(inverse_n.to_canonical());
  const Fr plain_n2 = Fr::from_montgomery_limbs(inverse_n.square().to_canonical());
  detail::for_pieces(n, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      a[i] = a[i] * b[i] * plain_n2 - c[i] * plain_n1;
    }
  });
}

}  // namespace baton
