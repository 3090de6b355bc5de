#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "shared/math/batch_inverse.hpp"
#include "shared/math/curve_affine.hpp"
#include "shared/math/host_device.hpp"

namespace baton {

/// A point of y^2 = x^3 + b as x = X/ZZ, y = Y/ZZZ with ZZ^3 = ZZZ^2; infinity has ZZ = 0. Every operation
/// is complete: infinity, equal and opposite points are handled. Formulas: EFD, "XYZZ coordinates",
/// madd-2008-s, add-2008-s, dbl-2008-s-1, mdbl-2008-s-1 with a = 0.
template <class F>
class CurveXyzz {
 public:
  using Field = F;
  using Affine = CurveAffine<Field>;

  Field x;
  Field y;
  Field zz;
  Field zzz;

  BATON_HOST_DEVICE static constexpr CurveXyzz infinity() {
    return {Field::zero(), Field::zero(), Field::zero(), Field::zero()};
  }

  BATON_HOST_DEVICE static constexpr CurveXyzz from_affine(const Affine& point) {
    if (point.is_infinity()) {
      return infinity();
    }
    return {point.x, point.y, Field::one(), Field::one()};
  }

  BATON_HOST_DEVICE constexpr bool is_infinity() const { return zz.is_zero(); }

  BATON_HOST_DEVICE constexpr CurveXyzz operator-() const { return {x, -y, zz, zzz}; }

  BATON_HOST_DEVICE static constexpr CurveXyzz doubled(const Affine& point) {
    if (point.is_infinity()) {
      return infinity();
    }
    const Field u = point.y.doubled();
    const Field v = u.square();
    const Field w = u * v;
    const Field s = point.x * v;
    const Field xx = point.x.square();
    const Field m = xx.doubled() + xx;
    const Field x3 = m.square() - s.doubled();
    return {x3, m * (s - x3) - w * point.y, v, w};
  }

  BATON_HOST_DEVICE constexpr CurveXyzz doubled() const {
    const Field u = y.doubled();
    const Field v = u.square();
    const Field w = u * v;
    const Field s = x * v;
    const Field xx = x.square();
    const Field m = xx.doubled() + xx;
    const Field x3 = m.square() - s.doubled();
    return {x3, m * (s - x3) - w * y, v * zz, w * zzz};
  }

  BATON_HOST_DEVICE friend constexpr CurveXyzz operator+(const CurveXyzz& a, const Affine& b) {
    if (b.is_infinity()) {
      return a;
    }
    if (a.is_infinity()) {
      return from_affine(b);
    }
    const Field p = b.x * a.zz - a.x;
    const Field r = b.y * a.zzz - a.y;
    if (p.is_zero()) {
      return r.is_zero() ? doubled(b) : infinity();
    }
    const Field pp = p.square();
    const Field ppp = p * pp;
    const Field q = a.x * pp;
    const Field x3 = r.square() - ppp - q.doubled();
    return {x3, r * (q - x3) - a.y * ppp, a.zz * pp, a.zzz * ppp};
  }

  BATON_HOST_DEVICE friend constexpr CurveXyzz operator+(const CurveXyzz& a, const CurveXyzz& b) {
    if (b.is_infinity()) {
      return a;
    }
    if (a.is_infinity()) {
      return b;
    }
    const Field u1 = a.x * b.zz;
    const Field s1 = a.y * b.zzz;
    const Field p = b.x * a.zz - u1;
    const Field r = b.y * a.zzz - s1;
    if (p.is_zero()) {
      return r.is_zero() ? a.doubled() : infinity();
    }
    const Field pp = p.square();
    const Field ppp = p * pp;
    const Field q = u1 * pp;
    const Field x3 = r.square() - ppp - q.doubled();
    return {x3, r * (q - x3) - s1 * ppp, a.zz * b.zz * pp, a.zzz * b.zzz * ppp};
  }

  BATON_HOST_DEVICE friend constexpr CurveXyzz operator-(const CurveXyzz& a, const Affine& b) {
    return a + (-b);
  }
  BATON_HOST_DEVICE friend constexpr CurveXyzz operator-(const CurveXyzz& a, const CurveXyzz& b) {
    return a + (-b);
  }
  BATON_HOST_DEVICE constexpr CurveXyzz& operator+=(const Affine& other) { return *this = *this + other; }
  BATON_HOST_DEVICE constexpr CurveXyzz& operator+=(const CurveXyzz& other) { return *this = *this + other; }

  /// Equality of the points, whatever their denominators.
  BATON_HOST_DEVICE friend constexpr bool operator==(const CurveXyzz& a, const CurveXyzz& b) {
    if (a.is_infinity() || b.is_infinity()) {
      return a.is_infinity() && b.is_infinity();
    }
    return a.x * b.zz == b.x * a.zz && a.y * b.zzz == b.y * a.zzz;
  }

  BATON_HOST_DEVICE constexpr Affine to_affine() const { return to_affine(zzz.inverse()); }

  /// The affine point, given the inverse of zzz (anything for infinity).
  BATON_HOST_DEVICE constexpr Affine to_affine(const Field& zzz_inverse) const {
    if (is_infinity()) {
      return Affine::infinity();
    }
    const Field z_inverse = zz * zzz_inverse;
    return {x * z_inverse.square(), y * zzz_inverse};
  }
};

/// Affine forms of `points` for the price of one inversion. `affine` has at least as many places.
template <class Field>
void to_affine(std::span<const CurveXyzz<Field>> points, std::span<CurveAffine<Field>> affine) {
  std::vector<Field> inverses(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    inverses[i] = points[i].zzz;
  }
  batch_inverse(std::span<Field>(inverses));
  for (std::size_t i = 0; i < points.size(); ++i) {
    affine[i] = points[i].to_affine(inverses[i]);
  }
}

}  // namespace baton
