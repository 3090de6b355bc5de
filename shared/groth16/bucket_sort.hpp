#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shared/groth16/scalar_digits.hpp"

namespace baton {

/// One scalar's part in a bucket: the scalar's index, and whether its point counts negatively.
struct BucketEntry {
  std::uint32_t index_and_sign;

  static BucketEntry make(std::uint32_t index, bool negative) noexcept {
    return {(index << 1) | (negative ? 1U : 0U)};
  }
  [[nodiscard]] std::uint32_t index() const noexcept { return index_and_sign >> 1; }
  [[nodiscard]] bool negative() const noexcept { return (index_and_sign & 1) != 0; }
};

/// The non-zero digits of one window, grouped by absolute value. Reused from window to window: memory grows
/// to the largest use and stays. One thread at a time.
class BucketSort {
 public:
  /// Sorts digit `window` of all scalars (32 bytes each, fewer than 2^31), or of those in `subset` only.
  void sort(const DigitPlan& plan, unsigned window, std::span<const std::byte> scalars);
  void sort(const DigitPlan& plan, unsigned window, std::span<const std::byte> scalars,
            std::span<const std::uint32_t> subset);

  /// Entries in order of bucket; bucket b (digits of absolute value b + 1) is [starts()[b], starts()[b + 1]).
  [[nodiscard]] std::span<const BucketEntry> entries() const noexcept { return {entries_.data(), used_}; }
  [[nodiscard]] std::span<const std::uint32_t> starts() const noexcept { return starts_; }

 private:
  template <class IndexAt>
  void sort_indices(const DigitPlan& plan, unsigned window, const std::byte* scalars, std::size_t count,
                    const IndexAt& index_at);

  std::vector<std::int32_t> digits_;
  std::vector<BucketEntry> entries_;
  std::vector<std::uint32_t> starts_;
  std::size_t used_ = 0;
};

}  // namespace baton
