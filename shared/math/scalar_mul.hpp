#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "shared/math/big_int.hpp"
#include "shared/math/curve_xyzz.hpp"

namespace baton {

/// scalar * point by windows of four bits, for any scalar, also beyond the group's order. Not constant-time.
template <class Field, std::size_t N>
CurveXyzz<Field> scalar_mul(const CurveXyzz<Field>& point, const BigInt<N>& scalar) {
  constexpr std::size_t kWindow = 4;
  std::array<CurveXyzz<Field>, 1U << kWindow> multiples;
  multiples[0] = CurveXyzz<Field>::infinity();
  for (std::size_t i = 1; i < multiples.size(); ++i) {
    multiples[i] = multiples[i - 1] + point;
  }
  CurveXyzz<Field> sum = CurveXyzz<Field>::infinity();
  const std::size_t windows = (scalar.bit_length() + kWindow - 1) / kWindow;
  for (std::size_t i = windows; i > 0; --i) {
    for (std::size_t k = 0; k < kWindow; ++k) {
      sum = sum.doubled();
    }
    sum += multiples[scalar.bits((i - 1) * kWindow, kWindow)];
  }
  return sum;
}

template <class Field, std::size_t N>
CurveXyzz<Field> scalar_mul(const CurveAffine<Field>& point, const BigInt<N>& scalar) {
  return scalar_mul(CurveXyzz<Field>::from_affine(point), scalar);
}

}  // namespace baton
