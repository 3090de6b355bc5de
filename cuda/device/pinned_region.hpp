#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "shared/support/result.hpp"

namespace baton {

/// How a range came to be known to the device.
enum class PinMode : unsigned char { kReadOnly, kReadWrite };

struct PinOptions {
  std::size_t max_piece_bytes = std::size_t{64} << 30;
  std::size_t min_piece_bytes = std::size_t{128} << 20;  ///< no more threads than pieces of this size
  unsigned threads = 8;
};

/// Host memory registered with the current device, in pieces, for as long as this object lives. The range
/// must outlive it: destroy it before unmapping. Works on read-only mappings.
class PinnedRegion {
 public:
  PinnedRegion() noexcept = default;

  /// Registers a page-aligned range, read-only where the driver can, else read-write, else fails; pieces in
  /// parallel. On failure every piece that had been registered is undone, last first.
  static Result<PinnedRegion> pin(std::span<const std::byte> range, const PinOptions& options = {});

  PinnedRegion(PinnedRegion&& other) noexcept
      : range_(std::exchange(other.range_, {})),
        piece_bytes_(std::exchange(other.piece_bytes_, 0)),
        mode_(other.mode_) {}
  PinnedRegion& operator=(PinnedRegion&& other) noexcept {
    std::swap(range_, other.range_);
    std::swap(piece_bytes_, other.piece_bytes_);
    std::swap(mode_, other.mode_);
    return *this;
  }
  PinnedRegion(const PinnedRegion&) = delete;
  PinnedRegion& operator=(const PinnedRegion&) = delete;
  ~PinnedRegion();

  [[nodiscard]] std::span<const std::byte> range() const noexcept { return range_; }
  [[nodiscard]] PinMode mode() const noexcept { return mode_; }
  [[nodiscard]] bool contains(std::span<const std::byte> part) const noexcept {
    return part.data() >= range_.data() && part.data() + part.size() <= range_.data() + range_.size();
  }

  /// Copies a part of the range to the device on `stream`; a copy never crosses two registered pieces.
  Status copy_async(std::byte* destination, std::span<const std::byte> part, cudaStream_t stream) const;

 private:
  PinnedRegion(std::span<const std::byte> range, std::size_t piece_bytes, PinMode mode) noexcept
      : range_(range), piece_bytes_(piece_bytes), mode_(mode) {}

  std::span<const std::byte> range_;
  std::size_t piece_bytes_ = 0;
  PinMode mode_ = PinMode::kReadOnly;
};

}  // namespace baton
