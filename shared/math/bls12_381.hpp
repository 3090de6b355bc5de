#pragma once

#include "shared/math/bls12_381_params.hpp"
#include "shared/math/curve_affine.hpp"
#include "shared/math/curve_id.hpp"
#include "shared/math/curve_xyzz.hpp"
#include "shared/math/decimal_element.hpp"
#include "shared/math/fp.hpp"
#include "shared/math/fp2.hpp"

namespace baton {

/// BLS12-381: y^2 = x^3 + 4 and its twist y^2 = x^3 + 4 xi; neither group is all of its curve.
struct Bls12_381 {
  using Fq = Fp<Bls12_381FqParams>;
  using Fr = Fp<Bls12_381FrParams>;
  using Fq2 = Fp2<Fq>;
  using G1Affine = CurveAffine<Fq>;
  using G2Affine = CurveAffine<Fq2>;
  using G1Xyzz = CurveXyzz<Fq>;
  using G2Xyzz = CurveXyzz<Fq2>;

  static constexpr CurveId kId = CurveId::kBls12_381;
  static constexpr const char* kName = "bls12381";

  static constexpr Fq g1_b() { return Fq::from_u64(4); }
  static constexpr Fq2 g2_b() {
    constexpr Fq2 kB = Fq2::from_u64(4) * Fq2{Fq::one(), Fq::one()};
    return kB;
  }

  /// What the towers are built with: v^3 = xi, w^2 = v.
  BATON_HOST_DEVICE static constexpr Fq2 xi() { return {Fq::one(), Fq::one()}; }

  static constexpr Fq2 mul_by_xi(const Fq2& a) { return {a.c0 - a.c1, a.c0 + a.c1}; }

  static constexpr G1Affine g1_generator() {
    constexpr G1Affine kPoint{
        decimal_element<Fq>(
            "3685416753713387016781088315183077757961620795782546409894578378688607592378376318836054"
            "947676345821548104185464507"),
        decimal_element<Fq>(
            "1339506544944476473020471379941921221584933875938349620426543736416511423956333506472724"
            "655353366534992391756441569")};
    return kPoint;
  }
  static constexpr G2Affine g2_generator() {
    constexpr G2Affine kPoint{
        {decimal_element<Fq>(
             "3527010695874666181871391160110601448900299527927752402199086442397937857357150268733476"
             "00343865175952761926303160"),
         decimal_element<Fq>(
             "3059144344244213709971259814753781636986470325476647558659373206291635324768958432433509"
             "563104347017837885763365758")},
        {decimal_element<Fq>(
             "1985150602287291935568054521177171638300868978215655730859378665066344726373823718423869"
             "104263333984641494340347905"),
         decimal_element<Fq>(
             "9275536654923324557472019657760378807577401934535929700250279787939768770026755649809492"
             "89727957565575433344219582")}};
    return kPoint;
  }
};

}  // namespace baton
