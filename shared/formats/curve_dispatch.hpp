#pragma once

#include <type_traits>
#include <utility>

#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "shared/math/curve_id.hpp"

namespace baton {

/// Calls `function` with a std::type_identity of the curve's traits.
template <class Function>
decltype(auto) with_curve(CurveId curve, Function&& function) {
  if (curve == CurveId::kBn254) {
    return std::forward<Function>(function)(std::type_identity<Bn254>{});
  }
  return std::forward<Function>(function)(std::type_identity<Bls12_381>{});
}

}  // namespace baton
