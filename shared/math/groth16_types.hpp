#pragma once

#include <vector>

namespace baton {

/// What a verifier needs, as points only. Coordinates are Montgomery inside; nothing here is checked to be on
/// the curve or in the subgroup unless the function that made it says so.
template <class Curve>
struct VerificationKey {
  typename Curve::G1Affine alpha1{};
  typename Curve::G2Affine beta2{};
  typename Curve::G2Affine gamma2{};
  typename Curve::G2Affine delta2{};
  std::vector<typename Curve::G1Affine> ic;  ///< public count + 1 points, that of the constant one first
};

/// A Groth16 proof, as points only.
template <class Curve>
struct Proof {
  typename Curve::G1Affine a{};
  typename Curve::G2Affine b{};
  typename Curve::G1Affine c{};
};

}  // namespace baton
