#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shared/groth16/pairing.hpp"
#include "shared/math/groth16_types.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// What a proof was found to be. `reason` says in a few words why it is not valid; empty when it is.
struct Verdict {
  bool valid = false;
  std::string_view reason;
};

/// Checks proofs against one verification key, with all that depends on the key alone done once. Immutable:
/// any number of threads may call `verify` at once.
template <class Curve>
class Verifier {
 public:
  using Fr = typename Curve::Fr;

  /// Fails with kInvalidInput, naming the point, when a point of the key is not a reduced point of its curve
  /// and subgroup, or when the key has no IC points.
  static Result<Verifier> create(const VerificationKey<Curve>& key);

  [[nodiscard]] std::size_t public_count() const noexcept { return ic_.size() - 1; }

  /// Whether e(a, b) = e(alpha, beta) e(vk_x, gamma) e(c, delta). Points off their curve or subgroup make the
  /// proof invalid; infinity is a point like any other. Fails with kInvalidInput when the number of public
  /// signals is not that of the key.
  [[nodiscard]] Result<Verdict> verify(const Proof<Curve>& proof, std::span<const Fr> public_signals) const;

  /// e(alpha, beta), the key's vk_alphabeta_12.
  [[nodiscard]] const Fp12<Curve>& alpha_beta() const noexcept { return alpha_beta_; }

 private:
  explicit Verifier(const VerificationKey<Curve>& key);

  std::vector<typename Curve::G1Affine> ic_;
  Fp12<Curve> alpha_beta_;
  G2Lines<Curve> gamma_;
  G2Lines<Curve> delta_;
};

extern template class Verifier<Bn254>;
extern template class Verifier<Bls12_381>;

}  // namespace baton
