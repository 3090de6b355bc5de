#pragma once

#include <cstdint>

#include "cuda/field/lazy_fp.cuh"

namespace baton::device {

/// c0 + c1 u with u^2 = -1 over LazyFp<P>, both parts in [0, 2p).
template <class P>
struct LazyFp2 {
  using Params = P;
  using Base = LazyFp<P>;
  static constexpr int kN = Base::kN;

  Base c0;
  Base c1;

  BATON_FIELD_FN static LazyFp2 zero() { return {Base::zero(), Base::zero()}; }
  BATON_FIELD_FN static LazyFp2 one() { return {Base::one(), Base::zero()}; }
  BATON_FIELD_FN LazyFp2 canonical() const { return {c0.canonical(), c1.canonical()}; }
  BATON_FIELD_FN bool is_zero() const { return c0.is_zero() && c1.is_zero(); }
  BATON_FIELD_FN bool is_all_zero() const { return c0.is_all_zero() && c1.is_all_zero(); }

  BATON_FIELD_FN friend LazyFp2 operator+(const LazyFp2& a, const LazyFp2& b) {
    return {a.c0 + b.c0, a.c1 + b.c1};
  }
  BATON_FIELD_FN friend LazyFp2 operator-(const LazyFp2& a, const LazyFp2& b) {
    return {a.c0 - b.c0, a.c1 - b.c1};
  }
  BATON_FIELD_FN LazyFp2 doubled() const { return {c0.doubled(), c1.doubled()}; }
  BATON_FIELD_FN LazyFp2 negated() const { return {c0.negated(), c1.negated()}; }
  BATON_FIELD_FN LazyFp2 negated_if(bool negative) const {
    return {c0.negated_if(negative), c1.negated_if(negative)};
  }

  BATON_FIELD_FN friend LazyFp2 operator*(const LazyFp2& a, const LazyFp2& b) { return product_call(a, b); }

  BATON_FIELD_FN LazyFp2 square() const { return square_call(*this); }

  BATON_FIELD_FN static LazyFp2 mul_sub(const LazyFp2& a, const LazyFp2& b, const LazyFp2& c,
                                        const LazyFp2& d) {
    return a * b - c * d;
  }

  /// 1 / (c0 + c1 u) = (c0 - c1 u) / (c0^2 + c1^2).
  BATON_FIELD_FN LazyFp2 inverse() const {
    const Base norm = Base::dot(c0, c0, c1, c1).inverse();
    return {c0 * norm, c1.negated() * norm};
  }

 private:
  /// Karatsuba on unreduced products: c0 = redc(t0 - t1 + 4p^2), c1 = redc(t2 - t0 - t1), both of arguments
  /// below 8p^2, so below 8p^2/R + p, corrected where that may reach 2p. The sums in t2 are below 4p < R.
  BATON_FIELD_FN static LazyFp2 product(const LazyFp2& a, const LazyFp2& b) {
    constexpr FourSquares offset;
    std::uint32_t t0[2 * kN];
    std::uint32_t t1[2 * kN];
    std::uint32_t t2[2 * kN];
    mul_wide<kN>(t0, a.c0.v, b.c0.v);
    mul_wide<kN>(t1, a.c1.v, b.c1.v);
    mul_wide<kN>(t2, Base::unreduced_sum(a.c0, a.c1).v, Base::unreduced_sum(b.c0, b.c1).v);
    chain::sub<2 * kN>(t2, t2, t0);
    chain::sub<2 * kN>(t2, t2, t1);
    chain::sub<2 * kN>(t0, t0, t1);
    chain::add<2 * kN>(t0, t0, offset.words);
    LazyFp2 r;
    redc_lazy<Params>(r.c0.v, t0);
    redc_lazy<Params>(r.c1.v, t2);
    if constexpr (!Base::kRoomy) {
      reduce_once<Params, 2>(r.c0.v);
      reduce_once<Params, 2>(r.c1.v);
    }
    return r;
  }

  /// Two products under one reduction for each part: more multiplications, no wide values.
  BATON_FIELD_FN static LazyFp2 dotted(const LazyFp2& a, const LazyFp2& b) {
    return {Base::mul_sub(a.c0, b.c0, a.c1, b.c1), Base::dot(a.c0, b.c1, a.c1, b.c0)};
  }

  BATON_FIELD_FN static LazyFp2 squared(const LazyFp2& a) {
    return {Base::mul_by_sum(Base::unreduced_sum(a.c0, a.c1), a.c0 - a.c1),
            Base::mul_by_sum(Base::unreduced_sum(a.c0, a.c0), a.c1)};
  }

  // Out of line where one product is hundreds of instructions: the loops above must fit the instruction
  // cache.
#if defined(__CUDACC__)
  __host__ __device__ __noinline__
#endif
      static LazyFp2
      product_call(LazyFp2 a, LazyFp2 b) {
    // Karatsuba on 12-word parts needs 72 words of products and spills more than it saves (measured).
    if constexpr (kN <= 8) {
      return product(a, b);
    } else {
      return dotted(a, b);
    }
  }
#if defined(__CUDACC__)
  __host__ __device__ __noinline__
#endif
      static LazyFp2
      square_call(LazyFp2 a) {
    return squared(a);
  }

  /// 4p^2.
  struct FourSquares {
    std::uint32_t words[2 * kN];
    BATON_FIELD_FN constexpr FourSquares() : words{} {
      for (int i = 0; i < kN; ++i) {
        std::uint64_t carry = 0;
        for (int j = 0; j < kN; ++j) {
          carry += static_cast<std::uint64_t>(modulus_word<Params>(i, 2)) * modulus_word<Params>(j, 2) +
                   words[i + j];
          words[i + j] = static_cast<std::uint32_t>(carry);
          carry >>= 32;
        }
        words[i + kN] = static_cast<std::uint32_t>(carry);
      }
    }
  };
};

}  // namespace baton::device
