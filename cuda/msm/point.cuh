#pragma once

#include "cuda/field/lazy_fp.cuh"

namespace baton::device {

/// An affine point as keys hold it: canonical Montgomery coordinates, infinity all zero.
template <class F>
struct Affine {
  F x;
  F y;

  BATON_FIELD_FN bool is_infinity() const { return x.is_all_zero() && y.is_all_zero(); }
};

/// x = X / ZZ, y = Y / ZZZ with ZZ^3 = ZZZ^2, on y^2 = x^3 + b; infinity has ZZ = 0. Coordinates in [0, 2p).
template <class F>
struct Xyzz {
  F x;
  F y;
  F zz;
  F zzz;

  BATON_FIELD_FN static Xyzz infinity() { return {F::zero(), F::zero(), F::zero(), F::zero()}; }
  BATON_FIELD_FN static Xyzz from_affine(const Affine<F>& p) {
    if (p.is_infinity()) {
      return infinity();
    }
    return {p.x, p.y, F::one(), F::one()};
  }
  BATON_FIELD_FN bool is_infinity() const { return zz.is_zero(); }
};

#if defined(__CUDACC__)
#define BATON_RARE __host__ __device__ __noinline__
#else
#define BATON_RARE
#endif

/// 2p for an affine p that is not infinity (4M + 3S). Never infinity: our groups have odd order.
template <class F>
BATON_RARE Xyzz<F> doubled_affine(Affine<F> p) {
  const F u = p.y.doubled();
  const F v = u.square();
  const F w = u * v;
  const F s = p.x * v;
  const F xx = p.x.square();
  const F m = xx.doubled() + xx;
  const F x = m.square() - s.doubled();
  return {x, F::mul_sub(m, s - x, w, p.y), v, w};
}

/// 2p (6M + 4S); infinity stays infinity.
template <class F>
BATON_FIELD_FN Xyzz<F> doubled_inline(const Xyzz<F>& p) {
  const F u = p.y.doubled();
  const F v = u.square();
  const F w = u * v;
  const F s = p.x * v;
  const F xx = p.x.square();
  const F m = xx.doubled() + xx;
  const F x = m.square() - s.doubled();
  return {x, F::mul_sub(m, s - x, w, p.y), v * p.zz, w * p.zzz};
}

template <class F>
BATON_RARE Xyzz<F> doubled(Xyzz<F> p) {
  return doubled_inline(p);
}

/// acc += p for p not infinity and acc not infinity (8M + 2S, Y under one reduction). Gives infinity as ZZ =
/// 0 when p = -acc.
template <class F>
BATON_FIELD_FN void add_affine_unchecked(Xyzz<F>& acc, const Affine<F>& p) {
  const F difference = p.x * acc.zz - acc.x;
  const F r = p.y * acc.zzz - acc.y;
  if (difference.is_zero()) {
    acc = r.is_zero() ? doubled_affine(p) : Xyzz<F>::infinity();
    return;
  }
  const F pp = difference.square();
  const F ppp = difference * pp;
  const F q = acc.x * pp;
  acc.zz = acc.zz * pp;
  acc.zzz = acc.zzz * ppp;
  acc.x = r.square() - ppp - q.doubled();
  acc.y = F::mul_sub(r, q - acc.x, acc.y, ppp);
}

/// acc += p for any acc and any p.
template <class F>
BATON_FIELD_FN void add_affine(Xyzz<F>& acc, const Affine<F>& p) {
  if (p.is_infinity()) {
    return;
  }
  if (acc.is_infinity()) {
    acc = {p.x, p.y, F::one(), F::one()};
    return;
  }
  add_affine_unchecked(acc, p);
}

/// acc += p, both any points (12M + 2S).
template <class F>
BATON_FIELD_FN void add_inline(Xyzz<F>& acc, const Xyzz<F>& p) {
  if (p.is_infinity()) {
    return;
  }
  if (acc.is_infinity()) {
    acc = p;
    return;
  }
  const F u1 = acc.x * p.zz;
  const F difference = p.x * acc.zz - u1;
  const F s1 = acc.y * p.zzz;
  const F r = p.y * acc.zzz - s1;
  if (difference.is_zero()) {
    acc = r.is_zero() ? doubled(acc) : Xyzz<F>::infinity();
    return;
  }
  const F pp = difference.square();
  const F ppp = difference * pp;
  const F q = u1 * pp;
  acc.zz = acc.zz * p.zz * pp;
  acc.zzz = acc.zzz * p.zzz * ppp;
  acc.x = r.square() - ppp - q.doubled();
  acc.y = F::mul_sub(r, q - acc.x, s1, ppp);
}

/// The same out of line, for kernels that add in several places.
template <class F>
BATON_RARE void add(Xyzz<F>& acc, const Xyzz<F>& p) {
  add_inline(acc, p);
}

/// In the loop of a kernel: inlined where the field is small enough for the registers and the code.
template <class F>
BATON_FIELD_FN void add_in_loop(Xyzz<F>& acc, const Xyzz<F>& p) {
  if constexpr (sizeof(F) <= 32) {
    add_inline(acc, p);
  } else {
    add(acc, p);
  }
}

/// Canonical affine form; infinity is all zero. One inversion.
template <class F>
BATON_FIELD_FN Affine<F> to_affine(const Xyzz<F>& p) {
  if (p.is_infinity()) {
    return {F::zero(), F::zero()};
  }
  // 1/ZZZ^2 = 1/ZZ^3, so 1/ZZ = ZZ^2 / ZZZ^2.
  const F inverse = p.zzz.inverse();
  const F by_z = inverse * p.zz;
  return {(p.x * by_z.square()).canonical(), (p.y * inverse).canonical()};
}

}  // namespace baton::device
