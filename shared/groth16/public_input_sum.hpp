#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "shared/math/curve_xyzz.hpp"

namespace baton {

/// sum_i scalars[i] * points[i] by buckets of four bits: for the few points of a verification key, whose
/// scalars are often bits. As many points as scalars. Not constant-time.
template <class Field, class Scalar>
CurveXyzz<Field> public_input_sum(std::span<const CurveAffine<Field>> points,
                                  std::span<const Scalar> scalars) {
  using Sum = CurveXyzz<Field>;
  constexpr std::size_t kWindow = 4;
  std::vector<typename Scalar::Int> integers;
  integers.reserve(scalars.size());
  std::size_t bits = 0;
  for (const Scalar& scalar : scalars) {
    integers.push_back(scalar.to_canonical());
    bits = std::max(bits, integers.back().bit_length());
  }
  Sum sum = Sum::infinity();
  for (std::size_t window = (bits + kWindow - 1) / kWindow; window > 0; --window) {
    for (std::size_t k = 0; k < kWindow; ++k) {
      sum = sum.doubled();
    }
    std::array<Sum, 1U << kWindow> buckets;
    buckets.fill(Sum::infinity());
    for (std::size_t i = 0; i < integers.size(); ++i) {
      if (const auto digit = integers[i].bits((window - 1) * kWindow, kWindow); digit != 0) {
        buckets[digit] += points[i];
      }
    }
    Sum running = Sum::infinity();
    for (std::size_t digit = buckets.size() - 1; digit > 0; --digit) {
      running += buckets[digit];
      sum += running;
    }
  }
  return sum;
}

}  // namespace baton
