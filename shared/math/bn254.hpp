#pragma once

#include "shared/math/bn254_params.hpp"
#include "shared/math/curve_affine.hpp"
#include "shared/math/curve_id.hpp"
#include "shared/math/curve_xyzz.hpp"
#include "shared/math/decimal_element.hpp"
#include "shared/math/fp.hpp"
#include "shared/math/fp2.hpp"

namespace baton {

/// BN254, also called bn128 and alt_bn128: y^2 = x^3 + 3 of prime order, and its twist y^2 = x^3 + 3 / xi.
struct Bn254 {
  using Fq = Fp<Bn254FqParams>;
  using Fr = Fp<Bn254FrParams>;
  using Fq2 = Fp2<Fq>;
  using G1Affine = CurveAffine<Fq>;
  using G2Affine = CurveAffine<Fq2>;
  using G1Xyzz = CurveXyzz<Fq>;
  using G2Xyzz = CurveXyzz<Fq2>;

  static constexpr CurveId kId = CurveId::kBn254;
  static constexpr const char* kName = "bn128";

  static constexpr Fq g1_b() { return Fq::from_u64(3); }
  static constexpr Fq2 g2_b() {
    constexpr Fq2 kB = Fq2::from_u64(3) * Fq2{Fq::from_u64(9), Fq::one()}.inverse();
    return kB;
  }

  /// What the towers are built with: v^3 = xi, w^2 = v.
  BATON_HOST_DEVICE static constexpr Fq2 xi() { return {Fq::from_u64(9), Fq::one()}; }

  static constexpr Fq2 mul_by_xi(const Fq2& a) {
    const Fq2 nine = a.doubled().doubled().doubled() + a;
    return {nine.c0 - a.c1, nine.c1 + a.c0};
  }

  static constexpr G1Affine g1_generator() {
    constexpr G1Affine kPoint{
        Fq::from_u64(1),
        Fq::from_u64(2),
    };
    return kPoint;
  }
  static constexpr G2Affine g2_generator() {
    constexpr G2Affine kPoint{
        {decimal_element<Fq>("10857046999023057135944570762232829481370756359578518086990519993285655852781"),
         decimal_element<Fq>(
             "11559732032986387107991004021392285783925812861821192530917403151452391805634")},
        {decimal_element<Fq>("8495653923123431417604973247489272438418190587263600148770280649306958101930"),
         decimal_element<Fq>(
             "4082367875863433681332203403145435568316851327593401208105741076214120093531")}};
    return kPoint;
  }
};

}  // namespace baton
