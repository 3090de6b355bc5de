#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/device/device_buffer.hpp"
#include "cuda/msm/groups.hpp"
#include "cuda/msm/presence.hpp"
#include "cuda/msm/windows.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// The fixed points of one sum and their multiples 2^(c * groups * j) P for j < tables, affine, in device
/// memory. Points at infinity are left out. Built once, when a key is loaded; read by any number of streams
/// afterwards.
template <class Group>
class MsmBases {
 public:
  using Affine = GroupAffine<Group>;

  MsmBases() = default;

  /// `points`: `count` points in device memory as keys hold them, on the curve; point i belongs to scalar
  /// first + i of `scalars`. Allocates device memory and waits for `stream`.
  static Result<MsmBases> build(const std::byte* points, std::uint32_t count, std::uint32_t first,
                                std::uint32_t scalars, const MsmWindows& windows, cudaStream_t stream);

  /// What a table of `present` points takes, and what build() needs beside it for a while.
  static std::size_t table_bytes(std::uint32_t present, const MsmWindows& windows) {
    return std::size_t{present} * windows.tables * sizeof(Affine);
  }
  static std::size_t build_scratch_bytes(std::uint32_t scalars);

  [[nodiscard]] const Affine* table() const noexcept { return table_.template as<Affine>(); }
  [[nodiscard]] std::uint32_t present() const noexcept { return present_; }
  [[nodiscard]] std::uint32_t scalars() const noexcept { return scalars_; }
  [[nodiscard]] const MsmWindows& windows() const noexcept { return windows_; }
  /// Null words when every scalar has a point: then no filter is needed.
  [[nodiscard]] PresenceMap presence() const noexcept;
  [[nodiscard]] bool needs_filter() const noexcept { return presence().words != nullptr; }
  /// Device memory held.
  [[nodiscard]] std::size_t bytes() const noexcept { return table_.size() + presence_.size(); }

 private:
  Status fill_tables(cudaStream_t stream);

  DeviceBuffer table_;
  DeviceBuffer presence_;  ///< words, then counts before each word
  MsmWindows windows_;
  std::uint32_t scalars_ = 0;
  std::uint32_t present_ = 0;
};

extern template class MsmBases<Bn254G1Group>;
extern template class MsmBases<Bn254G2Group>;
extern template class MsmBases<Bls12_381G1Group>;
extern template class MsmBases<Bls12_381G2Group>;

}  // namespace baton
