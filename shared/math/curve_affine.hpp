#pragma once

#include <cstddef>

#include "shared/math/host_device.hpp"

namespace baton {

/// A point of y^2 = x^3 + b over Field (Fp or Fp2), or infinity, which is (0, 0): no curve here has b = 0.
/// The bytes are those of .zkey files.
template <class F>
class CurveAffine {
 public:
  using Field = F;
  static constexpr std::size_t kBytes = 2 * Field::kBytes;

  Field x;
  Field y;

  BATON_HOST_DEVICE static constexpr CurveAffine infinity() { return {Field::zero(), Field::zero()}; }

  BATON_HOST_DEVICE constexpr bool is_infinity() const { return x.is_zero() && y.is_zero(); }

  /// Takes kBytes at any alignment as they are; is_reduced() and is_on_curve() judge them.
  static CurveAffine load(const std::byte* bytes) {
    return {Field::load(bytes), Field::load(bytes + Field::kBytes)};
  }
  void store(std::byte* bytes) const {
    x.store(bytes);
    y.store(bytes + Field::kBytes);
  }

  BATON_HOST_DEVICE constexpr bool is_reduced() const { return x.is_reduced() && y.is_reduced(); }

  /// Whether the point is infinity or satisfies y^2 = x^3 + b.
  BATON_HOST_DEVICE constexpr bool is_on_curve(const Field& b) const {
    return is_infinity() || y.square() == x.square() * x + b;
  }

  BATON_HOST_DEVICE constexpr CurveAffine operator-() const { return {x, -y}; }

  BATON_HOST_DEVICE friend constexpr bool operator==(const CurveAffine& a, const CurveAffine& b) {
    return a.x == b.x && a.y == b.y;
  }
};

}  // namespace baton
