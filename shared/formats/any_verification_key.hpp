#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "shared/math/curve_id.hpp"
#include "shared/math/groth16_types.hpp"

namespace baton {

using AnyVerificationKey = std::variant<VerificationKey<Bn254>, VerificationKey<Bls12_381>>;
using AnyProof = std::variant<Proof<Bn254>, Proof<Bls12_381>>;

/// The curve of either holder above.
template <class A, class B>
[[nodiscard]] CurveId curve_of(const std::variant<A, B>& holder) noexcept {
  return holder.index() == 0 ? CurveId::kBn254 : CurveId::kBls12_381;
}

}  // namespace baton
