#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "cuda/device/pinned_region.hpp"
#include "shared/groth16/prover_backend.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// The registered ranges of one backend, and how many could not be registered. Safe from any thread.
class PinnedRanges {
 public:
  /// Registers `range`. Where the driver refuses, the range is only counted: copies from it go through a
  /// staging ring. The result must not outlive this object.
  Result<std::unique_ptr<RegisteredRange>> add(std::span<const std::byte> range);

  /// The registered range that holds all of `part`, or null.
  [[nodiscard]] const PinnedRegion* find(std::span<const std::byte> part) const;

  struct Counts {
    std::size_t registered = 0;
    std::size_t refused = 0;  ///< since the start
  };
  [[nodiscard]] Counts counts() const;

 private:
  class Range;

  void remove(const PinnedRegion* region) noexcept;

  mutable std::mutex mutex_;
  std::vector<const PinnedRegion*> regions_;
  std::size_t refused_ = 0;
};

}  // namespace baton
