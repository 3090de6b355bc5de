#include "shared/groth16/verify.hpp"

#include <array>
#include <cstddef>

#include "shared/groth16/public_input_sum.hpp"
#include "shared/math/subgroup.hpp"

namespace baton {
namespace {

template <class Curve>
std::string_view g1_fault(const typename Curve::G1Affine& point) {
  if (!point.is_reduced()) {
    return "a coordinate not below q";
  }
  if (!point.is_on_curve(Curve::g1_b())) {
    return "a point off the curve";
  }
  return is_in_g1<Curve>(point) ? "" : "a point outside the subgroup of order r";
}

template <class Curve>
std::string_view g2_fault(const typename Curve::G2Affine& point) {
  if (!point.is_reduced()) {
    return "a coordinate not below q";
  }
  if (!point.is_on_curve(Curve::g2_b())) {
    return "a point off the curve";
  }
  return is_in_g2<Curve>(point) ? "" : "a point outside the subgroup of order r";
}

Status key_fault(std::string_view point, std::string_view fault) {
  return invalid_input("verification key: " + std::string(point) + ": expected a point of the group, found " +
                       std::string(fault));
}

template <class Curve>
Status check_key(const VerificationKey<Curve>& key) {
  if (key.ic.empty()) {
    return invalid_input("verification key: IC: expected at least one point, found none");
  }
  if (const auto fault = g1_fault<Curve>(key.alpha1); !fault.empty()) {
    return key_fault("vk_alpha_1", fault);
  }
  if (const auto fault = g2_fault<Curve>(key.beta2); !fault.empty()) {
    return key_fault("vk_beta_2", fault);
  }
  if (const auto fault = g2_fault<Curve>(key.gamma2); !fault.empty()) {
    return key_fault("vk_gamma_2", fault);
  }
  if (const auto fault = g2_fault<Curve>(key.delta2); !fault.empty()) {
    return key_fault("vk_delta_2", fault);
  }
  for (std::size_t i = 0; i < key.ic.size(); ++i) {
    if (const auto fault = g1_fault<Curve>(key.ic[i]); !fault.empty()) {
      return key_fault("IC[" + std::to_string(i) + "]", fault);
    }
  }
  return Status::ok();
}

}  // namespace

template <class Curve>
Verifier<Curve>::Verifier(const VerificationKey<Curve>& key)
    : ic_(key.ic),
      alpha_beta_(pairing<Curve>(key.alpha1, key.beta2)),
      gamma_(key.gamma2),
      delta_(key.delta2) {}

template <class Curve>
Result<Verifier<Curve>> Verifier<Curve>::create(const VerificationKey<Curve>& key) {
  BATON_RETURN_IF_ERROR(check_key(key));
  return Verifier(key);
}

template <class Curve>
Result<Verdict> Verifier<Curve>::verify(const Proof<Curve>& proof, std::span<const Fr> public_signals) const {
  if (public_signals.size() != public_count()) {
    return invalid_input("public signals: expected " + std::to_string(public_count()) + ", found " +
                         std::to_string(public_signals.size()));
  }
  if (!g1_fault<Curve>(proof.a).empty()) {
    return Verdict{false, "pi_a is not a point of G1"};
  }
  if (!g2_fault<Curve>(proof.b).empty()) {
    return Verdict{false, "pi_b is not a point of G2"};
  }
  if (!g1_fault<Curve>(proof.c).empty()) {
    return Verdict{false, "pi_c is not a point of G1"};
  }
  using G1Affine = typename Curve::G1Affine;
  const auto weighted = public_input_sum(std::span<const G1Affine>(ic_).subspan(1), public_signals);
  const G1Affine vk_x = (weighted + ic_[0]).to_affine();
  const G2Lines<Curve> b(proof.b);
  const std::array<PairingTerm<Curve>, 3> terms{{{proof.a, &b}, {-vk_x, &gamma_}, {-proof.c, &delta_}}};
  const auto value = final_exponentiation(miller_loop(std::span<const PairingTerm<Curve>>(terms)));
  if (!(value == alpha_beta_)) {
    return Verdict{false, "the pairing equation does not hold"};
  }
  return Verdict{true, {}};
}

template class Verifier<Bn254>;
template class Verifier<Bls12_381>;

}  // namespace baton
