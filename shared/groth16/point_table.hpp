#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton {

/// A list of affine points in memory as .zkey sections hold them (Montgomery coordinates, infinity all zero,
/// any alignment); point i goes with scalar `first_scalar + i`. Owns nothing.
template <class Affine>
struct PointTable {
  const std::byte* bytes = nullptr;
  std::size_t first_scalar = 0;
  std::size_t count = 0;

  [[nodiscard]] Affine operator[](std::size_t index) const noexcept {
    Affine point;
    std::memcpy(static_cast<void*>(&point), bytes + index * sizeof(Affine), sizeof(Affine));
    return point;
  }

  void prefetch(std::size_t index) const noexcept {
    const std::byte* point = bytes + index * sizeof(Affine);
    for (std::size_t offset = 0; offset < sizeof(Affine); offset += 64) {
      __builtin_prefetch(point + offset);
    }
    __builtin_prefetch(point + sizeof(Affine) - 1);
  }
};

}  // namespace baton
