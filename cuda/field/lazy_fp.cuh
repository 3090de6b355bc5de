#pragma once

#include <cstdint>

#include "cuda/field/fp_ptx.cuh"

namespace baton::device {

/// An element of the prime field of Params in Montgomery form, anywhere in [0, 2p): the form in which sums of
/// points are computed. Needs 5p < R (the base fields; not the scalar field of BLS12-381). Canonical bytes of
/// Fp may be read as one; canonical() goes back.
template <class P>
struct alignas(16) LazyFp {
  using Params = P;
  using Base = LazyFp;
  static constexpr int kN = kWords<Params>;
  /// 8p < R: products of two sums stay below 2p without a correction.
  static constexpr bool kRoomy = modulus_word<Params>(kN - 1) < (1U << 29) - 1;

  std::uint32_t v[kN];

  BATON_FIELD_FN static LazyFp zero() {
    LazyFp r;
    BATON_UNROLL
    for (int i = 0; i < kN; ++i) {
      r.v[i] = 0;
    }
    return r;
  }

  /// R mod p.
  BATON_FIELD_FN static LazyFp one() {
    constexpr RWords words;
    LazyFp r;
    BATON_UNROLL
    for (int i = 0; i < kN; ++i) {
      r.v[i] = words.words[i];
    }
    return r;
  }

  BATON_FIELD_FN LazyFp canonical() const {
    LazyFp r = *this;
    reduce_once<Params, 1>(r.v);
    return r;
  }

  /// Zero has two forms: 0 and p. Their lowest words filter nearly everything else.
  BATON_FIELD_FN bool is_zero() const {
    constexpr ModulusWords<Params> modulus;
    if (v[0] != 0 && v[0] != modulus.words[0]) {
      return false;
    }
    std::uint32_t as_zero = 0;
    std::uint32_t as_modulus = 0;
    BATON_UNROLL
    for (int i = 0; i < kN; ++i) {
      as_zero |= v[i];
      as_modulus |= v[i] ^ modulus.words[i];
    }
    return as_zero == 0 || as_modulus == 0;
  }

  /// All words zero: the mark of infinity in memory, where elements are canonical.
  BATON_FIELD_FN bool is_all_zero() const {
    std::uint32_t any = 0;
    BATON_UNROLL
    for (int i = 0; i < kN; ++i) {
      any |= v[i];
    }
    return any == 0;
  }

  BATON_FIELD_FN friend LazyFp operator+(const LazyFp& a, const LazyFp& b) {
    LazyFp r = unreduced_sum(a, b);
    reduce_once<Params, 2>(r.v);
    return r;
  }

  BATON_FIELD_FN friend LazyFp operator-(const LazyFp& a, const LazyFp& b) {
    constexpr ModulusWords<Params, 2> twice;
    LazyFp r;
    const std::uint32_t borrow = chain::sub<kN>(r.v, a.v, b.v);
    std::uint32_t masked[kN];
    BATON_UNROLL
    for (int i = 0; i < kN; ++i) {
      masked[i] = twice.words[i] & borrow;
    }
    chain::add<kN>(r.v, r.v, masked);
    return r;
  }

  BATON_FIELD_FN LazyFp doubled() const { return *this + *this; }
  BATON_FIELD_FN LazyFp negated() const { return zero() - *this; }

  /// -x when `negative`, else x.
  BATON_FIELD_FN LazyFp negated_if(bool negative) const {
    const LazyFp minus = negated();
    LazyFp r;
    BATON_UNROLL
    for (int i = 0; i < kN; ++i) {
      r.v[i] = negative ? minus.v[i] : v[i];
    }
    return r;
  }

  /// [0,2p) x [0,2p) -> [0,2p): 4p^2/R + p < 2p.
  BATON_FIELD_FN friend LazyFp operator*(const LazyFp& a, const LazyFp& b) {
    LazyFp r;
    mul_lazy<Params>(r.v, a.v, b.v);
    return r;
  }

  BATON_FIELD_FN LazyFp square() const {
    LazyFp r;
    sqr_lazy<Params>(r.v, v);
    return r;
  }

  /// a b - c d under one reduction: (4p^2 + 4p^2)/R + p, corrected where that may reach 2p.
  BATON_FIELD_FN static LazyFp mul_sub(const LazyFp& a, const LazyFp& b, const LazyFp& c, const LazyFp& d) {
    return dot(a, b, complement(c), d);
  }

  /// a b + c d under one reduction.
  BATON_FIELD_FN static LazyFp dot(const LazyFp& a, const LazyFp& b, const LazyFp& c, const LazyFp& d) {
    LazyFp r;
    dot2_lazy<Params>(r.v, a.v, b.v, c.v, d.v);
    if constexpr (!kRoomy) {
      reduce_once<Params, 2>(r.v);
    }
    return r;
  }

  /// a + b without a correction: below 4p.
  BATON_FIELD_FN static LazyFp unreduced_sum(const LazyFp& a, const LazyFp& b) {
    LazyFp r;
    chain::add<kN>(r.v, a.v, b.v);
    return r;
  }

  /// a b where a < 4p and b < 2p.
  BATON_FIELD_FN static LazyFp mul_by_sum(const LazyFp& a, const LazyFp& b) {
    LazyFp r;
    mul_lazy<Params>(r.v, a.v, b.v);
    if constexpr (!kRoomy) {
      reduce_once<Params, 2>(r.v);
    }
    return r;
  }

  /// 2p - x, in (0, 2p].
  BATON_FIELD_FN static LazyFp complement(const LazyFp& x) {
    constexpr ModulusWords<Params, 2> twice;
    LazyFp r;
    chain::sub<kN>(r.v, twice.words, x.v);
    return r;
  }

  /// 1/x by Fermat; 0 for 0. Not inlined: long and rare.
  BATON_FIELD_FN LazyFp inverse() const { return inverse_of(*this); }

 private:
  /// R mod p by doubling 1, at compile time.
  struct RWords {
    std::uint32_t words[kN];
    BATON_FIELD_FN constexpr RWords() : words{} {
      words[0] = 1;
      for (int bit = 0; bit < 32 * kN; ++bit) {
        std::uint32_t reduced[kN] = {};
        std::uint64_t carry = 0;
        for (int i = 0; i < kN; ++i) {
          carry += 2ULL * words[i];
          words[i] = static_cast<std::uint32_t>(carry);
          carry >>= 32;
        }
        std::uint64_t borrow = 0;
        for (int i = 0; i < kN; ++i) {
          const std::uint64_t t = static_cast<std::uint64_t>(words[i]) - modulus_word<Params>(i) - borrow;
          reduced[i] = static_cast<std::uint32_t>(t);
          borrow = t >> 63;
        }
        for (int i = 0; i < kN; ++i) {
          words[i] = borrow != 0 ? words[i] : reduced[i];
        }
      }
    }
  };

#if defined(__CUDACC__)
  __host__ __device__ __noinline__
#endif
      static LazyFp
      inverse_of(const LazyFp& x) {
    constexpr ModulusWords<Params> modulus;
    LazyFp r = one();
#if defined(__CUDACC__)
#pragma unroll 1
#endif
    for (int i = 32 * kN - 1; i >= 0; --i) {
      // The lowest word of p exceeds 2 for every base field: p - 2 borrows nothing.
      const std::uint32_t word = modulus.words[i / 32] - (i < 32 ? 2U : 0U);
      r = r.square();
      if (((word >> (i % 32)) & 1U) != 0) {
        r = r * x;
      }
    }
    return r;
  }
};

}  // namespace baton::device
