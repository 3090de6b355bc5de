#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "shared/math/curve_id.hpp"

namespace baton {

/// An affine point as .zkey files hold it: coordinates little-endian Montgomery, no flag bits, infinity all
/// zero. BN254 uses the first 64 (G1) or 128 (G2) bytes, BLS12-381 all of them; the rest is zero.
using G1Bytes = std::array<std::byte, 96>;
using G2Bytes = std::array<std::byte, 192>;

/// A proving key in host memory; every span is `n * sizeof(point)` bytes as in the .zkey sections 5 to 9.
/// All counts are checked by the reader; points are on the curve. The bytes live as long as the reader's
/// image.
struct ProvingKeyView {
  CurveId curve{};
  std::uint32_t n_vars = 0;
  std::uint32_t n_public = 0;
  std::uint32_t domain_size = 0;  ///< a power of two, at least 2
  std::span<const std::byte> a;   ///< n_vars G1
  std::span<const std::byte> b1;  ///< n_vars G1
  std::span<const std::byte> b2;  ///< n_vars G2
  std::span<const std::byte> c;   ///< n_vars - n_public - 1 G1
  std::span<const std::byte> h;   ///< domain_size G1
};

}  // namespace baton
