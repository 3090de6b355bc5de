#pragma once

#include <array>
#include <cstddef>

#include "shared/math/big_int.hpp"

namespace baton {

/// gamma[k] = xi^(k (q - 1) / 6): what the q-th power does to w^k, and so to the coordinates on the twist.
template <class Curve>
class Frobenius {
 public:
  using Fq2 = typename Curve::Fq2;

  static constexpr std::array<Fq2, 6> make_gamma() {
    auto exponent = Curve::Fq::Constants::minus_small(1);
    divide_small(exponent, 6);
    const Fq2 base = Curve::xi().pow(exponent);
    std::array<Fq2, 6> gamma{};
    gamma[0] = Fq2::one();
    for (std::size_t k = 1; k < gamma.size(); ++k) {
      gamma[k] = gamma[k - 1] * base;
    }
    return gamma;
  }

  static constexpr std::array<Fq2, 6> kGamma = make_gamma();
};

}  // namespace baton
