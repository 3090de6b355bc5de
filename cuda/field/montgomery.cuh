#pragma once

#include <cstdint>

#include "cuda/field/add_chains.cuh"
#include "cuda/field/mad_chains.cuh"

/// Montgomery arithmetic on arrays of 32-bit words, R = 2^(32 n). `Params` is a parameter set of
/// shared/math/fp.hpp: kLimbs 64-bit limbs and modulus(). Every function states its interval; p is the
/// modulus. Inputs and outputs may alias.

namespace baton::device {

template <class Params>
inline constexpr int kWords = 2 * static_cast<int>(Params::kLimbs);

/// Word i of k * p, at compile time.
template <class Params>
BATON_FIELD_FN constexpr std::uint32_t modulus_word(int index, unsigned multiple = 1) {
  std::uint64_t carry = 0;
  std::uint32_t word = 0;
  for (int i = 0; i <= index; ++i) {
    const std::uint64_t limb = Params::modulus().limbs[static_cast<unsigned>(i) / 2];
    carry += ((i & 1) != 0 ? limb >> 32 : limb & 0xffffffffU) * multiple;
    word = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  return word;
}

/// -1 / p mod 2^32.
template <class Params>
BATON_FIELD_FN constexpr std::uint32_t negated_inverse() {
  const std::uint32_t p0 = modulus_word<Params>(0);
  std::uint32_t inverse = 1;
  for (int i = 0; i < 5; ++i) {
    inverse *= 2U - p0 * inverse;
  }
  return 0U - inverse;
}

/// k * p as words that the compiler folds into immediates.
template <class Params, unsigned kMultiple = 1>
struct ModulusWords {
  std::uint32_t words[kWords<Params>];
  BATON_FIELD_FN constexpr ModulusWords() : words{} {
    for (int i = 0; i < kWords<Params>; ++i) {
      words[i] = modulus_word<Params>(i, kMultiple);
    }
  }
};

/// x - k p if that is not negative, else x.
template <class Params, unsigned kMultiple>
BATON_FIELD_FN void reduce_once(std::uint32_t* x) {
  constexpr int n = kWords<Params>;
  constexpr ModulusWords<Params, kMultiple> modulus;
  std::uint32_t reduced[n];
  const std::uint32_t borrow = chain::sub<n>(reduced, x, modulus.words);
  BATON_UNROLL
  for (int i = 0; i < n; ++i) {
    x[i] = borrow != 0 ? x[i] : reduced[i];
  }
}

namespace detail {

/// Makes even[0] zero by adding a multiple of p to the pair (even, odd << 32).
template <class Params>
BATON_FIELD_FN void reduce_row(std::uint32_t* even, std::uint32_t* odd) {
  constexpr int n = kWords<Params>;
  constexpr ModulusWords<Params> modulus;
  const std::uint32_t m = even[0] * negated_inverse<Params>();
  chain::mad<n / 2>(odd, modulus.words + 1, m);
  chain::mad_carry<n / 2>(even, modulus.words, m, odd[n - 1]);
}

/// Drops the zero word even[0] (the two accumulators swap roles: `odd` becomes the even one) and adds a * b.
template <class Params>
BATON_FIELD_FN void shift_row(std::uint32_t* even, std::uint32_t* odd, const std::uint32_t* a,
                              std::uint32_t b) {
  constexpr int n = kWords<Params>;
  chain::shift_mad<n / 2>(odd[0], even, a + 1, b);
  chain::mad_carry<n / 2>(odd, a, b, even[n - 1]);
}

template <class Params>
BATON_FIELD_FN void add_row(std::uint32_t* even, std::uint32_t* odd, const std::uint32_t* a,
                            std::uint32_t b) {
  constexpr int n = kWords<Params>;
  chain::mad<n / 2>(odd, a + 1, b);
  chain::mad_carry<n / 2>(even, a, b, odd[n - 1]);
}

/// out = even + (odd >> 32), after the last row.
template <class Params>
BATON_FIELD_FN void merge(std::uint32_t* out, const std::uint32_t* even, const std::uint32_t* odd) {
  constexpr int n = kWords<Params>;
  const std::uint32_t carry = chain::add<n - 1>(out, even, odd + 1);
  out[n - 1] = even[n - 1] + carry;
}

}  // namespace detail

/// out = a b / R mod p, below a b / R + p. Needs a + p < R (b is any n words).
template <class Params>
BATON_FIELD_FN void mul_lazy(std::uint32_t* out, const std::uint32_t* a, const std::uint32_t* b) {
  constexpr int n = kWords<Params>;
  std::uint32_t even[n];
  std::uint32_t odd[n];
  chain::mul<n / 2>(even, a, b[0]);
  chain::mul<n / 2>(odd, a + 1, b[0]);
  detail::reduce_row<Params>(even, odd);
  BATON_UNROLL
  for (int i = 1; i < n; i += 2) {
    detail::shift_row<Params>(even, odd, a, b[i]);
    detail::reduce_row<Params>(odd, even);
    if (i + 1 < n) {
      detail::shift_row<Params>(odd, even, a, b[i + 1]);
      detail::reduce_row<Params>(even, odd);
    }
  }
  detail::merge<Params>(out, even, odd);
}

/// out = (a b + c d) / R mod p, below (a b + c d) / R + p: two products under one reduction.
/// Needs a + c + p < R.
template <class Params>
BATON_FIELD_FN void dot2_lazy(std::uint32_t* out, const std::uint32_t* a, const std::uint32_t* b,
                              const std::uint32_t* c, const std::uint32_t* d) {
  constexpr int n = kWords<Params>;
  std::uint32_t even[n];
  std::uint32_t odd[n];
  chain::mul<n / 2>(even, a, b[0]);
  chain::mul<n / 2>(odd, a + 1, b[0]);
  detail::add_row<Params>(even, odd, c, d[0]);
  detail::reduce_row<Params>(even, odd);
  BATON_UNROLL
  for (int i = 1; i < n; i += 2) {
    detail::shift_row<Params>(even, odd, a, b[i]);
    detail::add_row<Params>(odd, even, c, d[i]);
    detail::reduce_row<Params>(odd, even);
    if (i + 1 < n) {
      detail::shift_row<Params>(odd, even, a, b[i + 1]);
      detail::add_row<Params>(even, odd, c, d[i + 1]);
      detail::reduce_row<Params>(even, odd);
    }
  }
  detail::merge<Params>(out, even, odd);
}

/// out = t / R mod p for t of 2 n words, below t / R + p.
template <class Params>
BATON_FIELD_FN void redc_lazy(std::uint32_t* out, const std::uint32_t* t) {
  constexpr int n = kWords<Params>;
  constexpr ModulusWords<Params> modulus;
  constexpr std::uint32_t n0 = negated_inverse<Params>();
  std::uint32_t even[n];
  std::uint32_t odd[n];
  BATON_UNROLL
  for (int i = 0; i < n; ++i) {
    even[i] = t[i];
  }
  const std::uint32_t m = even[0] * n0;
  chain::mul<n / 2>(odd, modulus.words + 1, m);
  chain::mad_carry<n / 2>(even, modulus.words, m, odd[n - 1]);
  BATON_UNROLL
  for (int i = 1; i < n; i += 2) {
    const std::uint32_t m_odd = chain::shift_redc<n / 2>(odd[0], even, modulus.words + 1, n0);
    chain::mad_carry<n / 2>(odd, modulus.words, m_odd, even[n - 1]);
    if (i + 1 < n) {
      const std::uint32_t m_even = chain::shift_redc<n / 2>(even[0], odd, modulus.words + 1, n0);
      chain::mad_carry<n / 2>(even, modulus.words, m_even, odd[n - 1]);
    }
  }
  detail::merge<Params>(even, even, odd);
  chain::add<n>(out, even, t + n);
}

/// t = a b, 2 n words, exact.
template <int n>
BATON_FIELD_FN void mul_wide(std::uint32_t* t, const std::uint32_t* a, const std::uint32_t* b) {
  std::uint32_t even[2 * n] = {};
  std::uint32_t odd[2 * n] = {};
  chain::mul<n / 2>(even, a, b[0]);
  chain::mul<n / 2>(odd, a + 1, b[0]);
  BATON_UNROLL
  for (int i = 1; i < n; ++i) {
    if ((i & 1) != 0) {
      std::uint32_t none = 0;
      chain::mad_carry<n / 2>(even + i + 1, a + 1, b[i], i + 1 < n ? even[i + 1 + n] : none);
      chain::mad_carry<n / 2>(odd + i - 1, a, b[i], odd[i - 1 + n]);
    } else {
      chain::mad_carry<n / 2>(even + i, a, b[i], even[i + n]);
      chain::mad_carry<n / 2>(odd + i, a + 1, b[i], odd[i + n]);
    }
  }
  t[0] = even[0];
  chain::add<2 * n - 1>(t + 1, even + 1, odd);
}

namespace detail {

/// Row i of a square: a_i^2 and the cross terms with twice the words above, as even and odd columns.
template <int n, int i>
BATON_FIELD_FN void square_row(std::uint32_t* even, std::uint32_t* odd, const std::uint32_t* a,
                               const std::uint32_t* twice) {
  std::uint32_t row[n + 1];
  row[i] = a[i];
  if constexpr (i + 1 < n) {
    row[i + 1] = a[i + 1] << 1;
  }
  BATON_UNROLL
  for (int j = i + 2; j < n; ++j) {
    row[j] = twice[j];
  }
  constexpr int even_pairs = (n - i + 1) / 2;
  constexpr int odd_pairs = (n - i) / 2;
  if constexpr (2 * i + 2 * even_pairs < 2 * n) {
    chain::mad_carry<even_pairs>(even + 2 * i, row + i, a[i], even[2 * i + 2 * even_pairs]);
  } else {
    std::uint32_t none = 0;
    chain::mad_carry<even_pairs>(even + 2 * i, row + i, a[i], none);
  }
  if constexpr (odd_pairs > 0) {
    chain::mad_carry<odd_pairs>(odd + 2 * i, row + i + 1, a[i], odd[2 * i + 2 * odd_pairs]);
  }
  if constexpr (i + 1 < n) {
    square_row<n, i + 1>(even, odd, a, twice);
  }
}

}  // namespace detail

/// t = a^2, 2 n words, exact. Needs 2 a < R.
template <int n>
BATON_FIELD_FN void sqr_wide(std::uint32_t* t, const std::uint32_t* a) {
  std::uint32_t even[2 * n] = {};
  std::uint32_t odd[2 * n] = {};
  std::uint32_t twice[n];
  BATON_UNROLL
  for (int i = n - 1; i > 0; --i) {
    twice[i] = (a[i] << 1) | (a[i - 1] >> 31);
  }
  twice[0] = a[0] << 1;
  detail::square_row<n, 0>(even, odd, a, twice);
  t[0] = even[0];
  chain::add<2 * n - 1>(t + 1, even + 1, odd);
}

/// out = a^2 / R mod p, below a^2 / R + p. Needs 2 a < R.
template <class Params>
BATON_FIELD_FN void sqr_lazy(std::uint32_t* out, const std::uint32_t* a) {
  std::uint32_t t[2 * kWords<Params>];
  sqr_wide<kWords<Params>>(t, a);
  redc_lazy<Params>(out, t);
}

}  // namespace baton::device
