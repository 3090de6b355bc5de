#pragma once

#include "cuda/field/lazy_fp.cuh"
#include "cuda/field/lazy_fp2.cuh"
#include "cuda/msm/point.cuh"
#include "shared/math/bls12_381_params.hpp"
#include "shared/math/bn254_params.hpp"

namespace baton {

/// The four groups that proofs are made of: coordinate field, field of the scalars, and its bits.
struct Bn254G1Group {
  using Field = device::LazyFp<Bn254FqParams>;
  using ScalarParams = Bn254FrParams;
  static constexpr unsigned kScalarBits = 254;
};
struct Bn254G2Group {
  using Field = device::LazyFp2<Bn254FqParams>;
  using ScalarParams = Bn254FrParams;
  static constexpr unsigned kScalarBits = 254;
};
struct Bls12_381G1Group {
  using Field = device::LazyFp<Bls12_381FqParams>;
  using ScalarParams = Bls12_381FrParams;
  static constexpr unsigned kScalarBits = 255;
};
struct Bls12_381G2Group {
  using Field = device::LazyFp2<Bls12_381FqParams>;
  using ScalarParams = Bls12_381FrParams;
  static constexpr unsigned kScalarBits = 255;
};

/// A point as keys hold it (64, 128, 96, 192 bytes) and as sums are held (twice that).
template <class Group>
using GroupAffine = device::Affine<typename Group::Field>;
template <class Group>
using GroupXyzz = device::Xyzz<typename Group::Field>;

}  // namespace baton
