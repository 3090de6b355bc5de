#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "cuda/device/arena.hpp"
#include "cuda/msm/bases.hpp"
#include "cuda/msm/digits.hpp"
#include "cuda/msm/groups.hpp"
#include "cuda/msm/reduce_shape.hpp"
#include "cuda/msm/tasks.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// One set of points with the digits of its scalars, filtered to the points that are present.
template <class Group>
struct MsmSource {
  const MsmBases<Group>* bases = nullptr;
  SortedDigits digits;
};

/// Points that one sum writes, for finish() on the host: a few for each group of windows.
constexpr unsigned msm_sums(const MsmWindows& windows) noexcept {
  return device::kReduceSums * windows.groups();
}

/// The sum over one source, or over several that share one bucket set. A plan: all sizes are known before
/// the first launch; run() never synchronises and takes all its memory from the arena. One Msm may be run on
/// several streams at once with an arena each.
template <class Group>
class Msm {
 public:
  using Point = GroupXyzz<Group>;

  /// `capacity`: the most entries of one source (DigitSort::capacity()).
  static Result<Msm> plan(const MsmWindows& windows, std::uint32_t capacity);

  /// Bytes that run() takes from its arena, whatever the number of sources.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  /// Points that run() writes.
  [[nodiscard]] unsigned sums() const noexcept { return msm_sums(windows_); }

  /// Enqueues everything; `sums` (device) has sums() points afterwards, for finish(). What was taken from the
  /// arena is free again once the stream has passed.
  Status run(std::span<const MsmSource<Group>> sources, ArenaView& arena, cudaStream_t stream,
             Point* sums) const;

  /// On the host, from a copy of `sums`: the canonical affine sum; infinity is all zero.
  static GroupAffine<Group> finish(std::span<const Point> sums, const MsmWindows& windows);

 private:
  Msm(const MsmWindows& windows, TaskPlan tasks) : windows_(windows), tasks_(std::move(tasks)) {}

  struct Buffers;
  Buffers take(ArenaView& arena) const;
  Status accumulate(const MsmSource<Group>& source, const std::uint32_t* previous, const Buffers& buffers,
                    ArenaView& arena, cudaStream_t stream) const;
  Status reduce(std::span<const MsmSource<Group>> sources, const Buffers& buffers, cudaStream_t stream,
                Point* sums) const;

  MsmWindows windows_;
  TaskPlan tasks_;
  std::size_t bytes_ = 0;
};

extern template class Msm<Bn254G1Group>;
extern template class Msm<Bn254G2Group>;
extern template class Msm<Bls12_381G1Group>;
extern template class Msm<Bls12_381G2Group>;

}  // namespace baton
