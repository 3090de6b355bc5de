#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "shared/support/result.hpp"

namespace baton {

/// b of y^2 = x^3 + b for the group of Curve that Affine is a point of.
template <class Curve, class Affine>
[[nodiscard]] typename Affine::Field curve_b() {
  if constexpr (std::is_same_v<Affine, typename Curve::G1Affine>) {
    return Curve::g1_b();
  } else {
    return Curve::g2_b();
  }
}

/// Ok when the coordinates are below q and the point is on the curve (infinity is); the subgroup is not
/// looked at.
template <class Curve, class Affine>
[[nodiscard]] Status check_point(const Affine& point) {
  if (!point.is_reduced()) {
    return invalid_input("a coordinate is not below q");
  }
  if (!point.is_on_curve(curve_b<Curve, Affine>())) {
    return invalid_input("the point is not on the curve");
  }
  return {};
}

/// The point that begins `bytes` in the encoding of .zkey files (little-endian Montgomery coordinates,
/// infinity all zero), checked by check_point.
template <class Curve, class Affine>
[[nodiscard]] Result<Affine> load_point(std::span<const std::byte> bytes) {
  if (bytes.size() < Affine::kBytes) {
    return internal_error("a point cut short");
  }
  const Affine point = Affine::load(bytes.data());
  BATON_RETURN_IF_ERROR((check_point<Curve, Affine>(point)));
  return point;
}

}  // namespace baton
