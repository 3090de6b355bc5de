#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/device/device_buffer.hpp"
#include "cuda/msm/presence.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// Words of a presence map for that many scalars.
constexpr std::uint32_t presence_words(std::uint32_t scalars) noexcept {
  return (scalars + 31) / 32;
}

/// Finds which of `count` records of `bytes` (a multiple of 16) are not all zero; record i belongs to scalar
/// first + i. Fills words[presence_words] and before[presence_words], and returns how many there are. Waits
/// for the stream.
Result<std::uint32_t> find_present(const std::byte* records, std::uint32_t count, std::size_t bytes,
                                   std::uint32_t first, std::uint32_t scalars, std::uint32_t* words,
                                   std::uint32_t* before, cudaStream_t stream);

/// Copies the records that are there, in order.
Status compact_present(const std::byte* records, std::uint32_t count, std::size_t bytes, std::uint32_t first,
                       const PresenceMap& presence, std::byte* out, cudaStream_t stream);

}  // namespace baton
