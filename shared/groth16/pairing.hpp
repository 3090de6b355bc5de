#pragma once

#include <span>
#include <vector>

#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "shared/math/fp12.hpp"

namespace baton {

/// The lines of the Miller loop of one point of G2, in the order of their use. Made once for a point that
/// meets many points of G1.
template <class Curve>
class G2Lines {
 public:
  using Fq2 = typename Curve::Fq2;
  struct Line {
    Fq2 at_y;   ///< to be scaled by the y of the point of G1
    Fq2 at_x;   ///< to be scaled by its x
    Fq2 fixed;  ///< as it is
  };

  /// `point` is on the twist, in the group of order r.
  explicit G2Lines(const typename Curve::G2Affine& point);

  /// Empty for infinity.
  [[nodiscard]] std::span<const Line> lines() const noexcept { return lines_; }

 private:
  std::vector<Line> lines_;
};

template <class Curve>
struct PairingTerm {
  typename Curve::G1Affine p;
  const G2Lines<Curve>* q = nullptr;  ///< lives as long as the call it is given to
};

/// The product of the optimal ate Miller loops of all terms, which share their squarings. Terms with infinity
/// on either side count as one.
template <class Curve>
[[nodiscard]] Fp12<Curve> miller_loop(std::span<const PairingTerm<Curve>> terms);

/// The power that takes a Miller loop's value into the group of order r. `value` is not zero.
template <class Curve>
[[nodiscard]] Fp12<Curve> final_exponentiation(const Fp12<Curve>& value);

/// e(p, q), with the values that snarkjs writes as vk_alphabeta_12.
template <class Curve>
[[nodiscard]] Fp12<Curve> pairing(const typename Curve::G1Affine& p, const typename Curve::G2Affine& q);

extern template class G2Lines<Bn254>;
extern template class G2Lines<Bls12_381>;

}  // namespace baton
