#pragma once

#include <cstdint>

#include "shared/formats/proving_key_view.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// How far points are looked into.
enum class PointCheck : std::uint8_t {
  kCurve,     ///< coordinates below q, on the curve or infinity: a few milliseconds for 2^16 points
  kSubgroup,  ///< and in the group of order r: about a hundred times that
};

/// Checks every point of sections 5 to 9, in parallel on the caller's arena. The message names the section
/// and the index of the first bad point.
[[nodiscard]] Status check_key_points(const ProvingKeyView& key, PointCheck depth);

}  // namespace baton
