#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/device/arena.hpp"
#include "cuda/msm/presence.hpp"
#include "cuda/msm/windows.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// The modulus r of the scalars, and (r - 1) / 2, as little-endian 32-bit words.
struct ScalarModulus {
  std::uint32_t r[8];
  std::uint32_t half[8];

  template <class Params>
  static constexpr ScalarModulus of() {
    ScalarModulus m{};
    for (unsigned i = 0; i < 8; ++i) {
      m.r[i] = static_cast<std::uint32_t>(Params::modulus().limbs[i / 2] >> (32 * (i % 2)));
    }
    for (unsigned i = 0; i < 8; ++i) {
      m.half[i] = (m.r[i] >> 1) | (i < 7 ? m.r[i + 1] << 31 : 0);
    }
    return m;
  }
};

/// The non-zero digits of many scalars, ordered by bucket; all pointers are device memory.
/// Entry: bit 31 sign, then table number, then `index_bits` of the point's index. Bucket b holds the entries
/// [offsets[b], offsets[b + 1]); its multiplier is b % buckets_per_group + 1.
struct SortedDigits {
  const std::uint32_t* entries = nullptr;
  const std::uint32_t* offsets = nullptr;  ///< buckets + 1
  MsmWindows windows;
  unsigned index_bits = 0;
  std::uint32_t capacity = 0;  ///< no more entries than this
};

/// What is expected of the scalars; both ways are right for any. Sparse (a witness): the time is that of the
/// digits that are not zero. Dense (the quotient): sorted without scattering, for twice the memory an entry
/// and more.
enum class DigitDensity : unsigned char { kSparse, kDense };

/// Cuts scalars into digits and sorts them by bucket. The plan fixes all sizes; run() never synchronises and
/// needs no memory but what its layout took.
class DigitSort {
 public:
  /// kLimit when the entries do not fit 31 bits (number of scalars, tables) or their count 32.
  static Result<DigitSort> plan(const MsmWindows& windows, std::uint32_t scalars,
                                const ScalarModulus& modulus, DigitDensity density = DigitDensity::kSparse);

  /// Bytes that run() takes from its arena.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::uint32_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] const MsmWindows& windows() const noexcept { return windows_; }

  /// `scalars`: canonical, 32 bytes each, in device memory. The result lives in the arena. Values not below r
  /// give a wrong sum, never a wrong access.
  Result<SortedDigits> run(const std::byte* scalars, ArenaView& arena, cudaStream_t stream) const;

 private:
  DigitSort() = default;

  MsmWindows windows_;
  ScalarModulus modulus_{};
  DigitDensity density_ = DigitDensity::kSparse;
  std::uint32_t scalars_ = 0;
  std::uint32_t capacity_ = 0;
  unsigned index_bits_ = 0;
  std::size_t scan_bytes_ = 0;
  std::size_t bytes_ = 0;
};

/// Leaves out the entries of scalars whose point is infinity, and renames the others to the number of their
/// point among those present. Keeps the order.
class DigitFilter {
 public:
  static Result<DigitFilter> plan(const DigitSort& sort);

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

  Result<SortedDigits> run(const SortedDigits& digits, const PresenceMap& presence, ArenaView& arena,
                           cudaStream_t stream) const;

 private:
  DigitFilter() = default;

  MsmWindows windows_;
  std::uint32_t capacity_ = 0;
  std::size_t scan_bytes_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace baton
