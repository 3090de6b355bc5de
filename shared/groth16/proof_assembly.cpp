#include "shared/groth16/proof_assembly.hpp"

#include "shared/formats/curve_dispatch.hpp"
#include "shared/formats/prime_field.hpp"
#include "shared/math/scalar_mul.hpp"
#include "shared/support/secure_random.hpp"

namespace baton {
namespace {

using Scalar = BigInt<4>;

/// Draws until the number, cut to the length of the order, is below it: at most four tries on average.
Status draw_scalar(const Scalar& order, std::array<std::byte, 32>& out) {
  const unsigned spare_bits = static_cast<unsigned>(Scalar::kBits - order.bit_length());
  do {
    BATON_RETURN_IF_ERROR(fill_random(out));
    out.back() &= std::byte{0xff} >> spare_bits;
  } while (!(load_integer<4>(out.data()) < order));
  return {};
}

template <class Curve>
Proof<Curve> assemble(const ProvingKeyHeader& key, const ProofSums& sums, const Scalar& r, const Scalar& s) {
  using G1 = typename Curve::G1Xyzz;
  using G2 = typename Curve::G2Xyzz;
  using Fr = typename Curve::Fr;
  const auto g1 = [](const G1Bytes& bytes) { return G1::from_affine(Curve::G1Affine::load(bytes.data())); };
  const auto g2 = [](const G2Bytes& bytes) { return G2::from_affine(Curve::G2Affine::load(bytes.data())); };
  const Scalar rs = (Fr::from_canonical_unchecked(r) * Fr::from_canonical_unchecked(s)).to_canonical();
  const G1 delta1 = g1(key.delta1);
  const G1 a = g1(key.alpha1) + g1(sums.a) + scalar_mul(delta1, r);
  const G2 b = g2(key.beta2) + g2(sums.b2) + scalar_mul(g2(key.delta2), s);
  const G1 b1 = g1(key.beta1) + g1(sums.b1) + scalar_mul(delta1, s);
  const G1 c = g1(sums.ch) + scalar_mul(a, s) + scalar_mul(b1, r) - scalar_mul(delta1, rs);
  return {a.to_affine(), b.to_affine(), c.to_affine()};
}

}  // namespace

Result<Blinding> random_blinding(CurveId curve) {
  Blinding blinding;
  BATON_RETURN_IF_ERROR(draw_scalar(scalar_modulus(curve), blinding.r));
  BATON_RETURN_IF_ERROR(draw_scalar(scalar_modulus(curve), blinding.s));
  return blinding;
}

Result<AnyProof> assemble_proof(const ProvingKeyHeader& key, const ProofSums& sums,
                                const Blinding& blinding) {
  const Scalar order = scalar_modulus(key.curve);
  const auto r = load_integer<4>(blinding.r.data());
  const auto s = load_integer<4>(blinding.s.data());
  if (!(r < order) || !(s < order)) {
    return invalid_input("blinding: r and s must be below the group order");
  }
  return with_curve(key.curve, [&](auto curve) {
    return AnyProof(assemble<typename decltype(curve)::type>(key, sums, r, s));
  });
}

}  // namespace baton
