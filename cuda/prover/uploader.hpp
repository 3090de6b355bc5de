#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cuda/device/event.hpp"
#include "cuda/prover/host_buffer.hpp"
#include "cuda/prover/pinned_ranges.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// Copies host memory to the device: straight from registered ranges, in pieces; anything else through a
/// small page-locked ring, which costs the calling thread a copy. One thread at a time.
class Uploader {
 public:
  /// `ranges` must outlive the result. `stage` false: what is not registered is left to the driver, which
  /// copies it while the calling thread waits.
  static Result<Uploader> create(const PinnedRanges& ranges, bool stage);

  /// Enqueues the copy on `stream`. From a registered range it returns at once; `from` must stay as it is
  /// until the stream has passed.
  Status upload(std::span<const std::byte> from, std::byte* to, cudaStream_t stream);

  /// Bytes that went through the ring so far.
  [[nodiscard]] std::uint64_t staged_bytes() const noexcept { return staged_bytes_; }

 private:
  Uploader(const PinnedRanges& ranges, bool stage, HostBuffer ring, std::vector<Event> passed) noexcept
      : ranges_(&ranges), stage_(stage), ring_(std::move(ring)), passed_(std::move(passed)) {}

  Status upload_staged(std::span<const std::byte> from, std::byte* to, cudaStream_t stream);

  const PinnedRanges* ranges_;
  bool stage_;
  HostBuffer ring_;
  std::vector<Event> passed_;  ///< one for each piece of the ring: the copy out of it is done
  std::size_t next_ = 0;
  std::uint64_t staged_bytes_ = 0;
};

}  // namespace baton
