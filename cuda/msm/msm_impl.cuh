#pragma once

#include <algorithm>
#include <vector>

#include "cuda/device/cuda_status.hpp"
#include "cuda/msm/accumulate.cuh"
#include "cuda/msm/msm.hpp"
#include "cuda/msm/reduce.cuh"

/// Included by the one .cu of each group.

namespace baton {

namespace detail {

inline constexpr std::uint32_t kPartialsPerTask = 16;
/// Threads of the first reduction step that fill a device without making its chains long.
inline constexpr std::uint32_t kWantedRuns = 1U << 15;

/// Entries a task: about twice the mean of a dense sum, so that most buckets are one task.
inline std::uint32_t entries_per_task(const MsmWindows& windows, std::uint32_t capacity) {
  const std::uint64_t mean = capacity / std::max(1U, windows.buckets());
  std::uint32_t length = 32;
  while (length < 2 * mean && length < 256) {
    length *= 2;
  }
  return length;
}

inline unsigned run_length(const MsmWindows& windows) {
  std::uint32_t run = 8;
  while (run < 64 && windows.buckets() / run > kWantedRuns) {
    run *= 2;
  }
  return std::min(run, windows.buckets_per_group());
}

inline unsigned log2_of(std::uint32_t power) {
  unsigned bits = 0;
  while ((std::uint32_t{1} << bits) < power) {
    ++bits;
  }
  return bits;
}

/// Blocks that fill the current device with a persistent kernel.
Result<unsigned> persistent_blocks(unsigned per_multiprocessor);

}  // namespace detail

template <class Group>
struct Msm<Group>::Buffers {
  Point* buckets;
  Point* partials[2];
  device::WeightedSums<typename Group::Field> sums[2];
};

template <class Group>
typename Msm<Group>::Buffers Msm<Group>::take(ArenaView& arena) const {
  Buffers buffers{};
  const std::uint32_t runs = windows_.buckets() / detail::run_length(windows_);
  buffers.buckets = arena.take<Point>(windows_.buckets());
  for (auto& partials : buffers.partials) {
    partials = arena.take<Point>(tasks_.partial_capacity());
  }
  for (auto& sums : buffers.sums) {
    sums.plain = arena.take<Point>(runs);
    sums.weighted = arena.take<Point>(runs);
  }
  return buffers;
}

template <class Group>
Result<Msm<Group>> Msm<Group>::plan(const MsmWindows& windows, std::uint32_t capacity) {
  BATON_ASSIGN_OR_RETURN(
      TaskPlan tasks, TaskPlan::plan(windows.buckets(), capacity, detail::entries_per_task(windows, capacity),
                                     detail::kPartialsPerTask));
  Msm msm(windows, std::move(tasks));
  ArenaView count;
  (void)msm.take(count);
  msm.bytes_ = count.used() + msm.tasks_.bytes();
  BATON_RETURN_IF_ERROR(
      cuda_status(cudaFuncSetAttribute(device::fold_sums<typename Group::Field>,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(device::kFoldBytes<typename Group::Field>)),
                  "shared memory of a reduction"));
  return Result<Msm>(std::move(msm));
}

template <class Group>
Status Msm<Group>::run(std::span<const MsmSource<Group>> sources, ArenaView& arena, cudaStream_t stream,
                       Point* sums) const {
  if (sources.empty() || sources.size() > 2) {
    return internal_error("msm: expected one source or two");
  }
  const Buffers buffers = take(arena);
  const std::size_t mark = arena.used();
  const std::uint32_t* previous = nullptr;
  for (const MsmSource<Group>& source : sources) {
    if (!(source.digits.windows == windows_) || !(source.bases->windows() == windows_)) {
      return internal_error("msm: a source with other windows");
    }
    arena.rewind(mark);
    BATON_RETURN_IF_ERROR(accumulate(source, previous, buffers, arena, stream));
    previous = source.digits.offsets;
  }
  return reduce(sources, buffers, stream, sums);
}

template <class Group>
Status Msm<Group>::accumulate(const MsmSource<Group>& source, const std::uint32_t* previous,
                              const Buffers& buffers, ArenaView& arena, cudaStream_t stream) const {
  using Field = typename Group::Field;
  BATON_ASSIGN_OR_RETURN(const std::vector<TaskLevel> levels,
                         tasks_.run(source.digits.offsets, arena, stream));
  BATON_ASSIGN_OR_RETURN(const unsigned blocks, detail::persistent_blocks(device::kSumBlocks<Field>));
  device::SumTarget<Field> target{buffers.buckets, buffers.partials[0], previous};
  device::sum_entries<Field>
      <<<blocks, device::kSumBlock, 0, stream>>>(levels[0], source.digits.entries, source.digits.index_bits,
                                                 source.bases->table(), source.bases->present(), target);
  for (std::size_t l = 1; l < levels.size(); ++l) {
    const Point* items = target.partials;
    target.partials = buffers.partials[l % 2];
    const std::uint32_t warps = (levels[l].task_capacity + 31) / 32;
    const unsigned enough = std::clamp(warps / (device::kSumBlock / 32), 1U, blocks);
    device::sum_partials<Field><<<enough, device::kSumBlock, 0, stream>>>(levels[l], items, target);
  }
  return last_cuda_status("msm: accumulate");
}

template <class Group>
Status Msm<Group>::reduce(std::span<const MsmSource<Group>> sources, const Buffers& buffers,
                          cudaStream_t stream, Point* sums) const {
  using Field = typename Group::Field;
  constexpr unsigned fold = device::kFold<Field>;
  const unsigned run = detail::run_length(windows_);
  const std::uint32_t runs = windows_.buckets() / run;
  device::sum_runs<Field>
      <<<(runs + device::kRunBlock - 1) / device::kRunBlock, device::kRunBlock, 0, stream>>>(
          buffers.buckets, sources[0].digits.offsets,
          sources.size() > 1 ? sources[1].digits.offsets : nullptr, runs, run, buffers.sums[0]);
  std::uint32_t count = windows_.buckets_per_group() / run;
  unsigned log_unit = detail::log2_of(run);
  unsigned side = 0;
  while (count > 1) {
    const std::uint32_t blocks = (count + fold - 1) / fold;
    device::fold_sums<Field><<<dim3(blocks, windows_.groups()), fold, device::kFoldBytes<Field>, stream>>>(
        buffers.sums[side], count, log_unit, buffers.sums[1 - side]);
    side = 1 - side;
    count = blocks;
    log_unit += detail::log2_of(fold);
  }
  BATON_RETURN_IF_ERROR(
      cuda_status(cudaMemcpyAsync(sums, buffers.sums[side].weighted, windows_.groups() * sizeof(Point),
                                  cudaMemcpyDeviceToDevice, stream),
                  "msm: result"));
  return last_cuda_status("msm: reduce");
}

template <class Group>
GroupAffine<Group> Msm<Group>::finish(std::span<const Point> sums, const MsmWindows& windows) {
  Point total = Point::infinity();
  for (std::size_t g = sums.size(); g > 0; --g) {
    for (unsigned i = 0; i < windows.window_bits && !total.is_infinity(); ++i) {
      total = device::doubled(total);
    }
    device::add(total, sums[g - 1]);
  }
  return device::to_affine(total);
}

}  // namespace baton
