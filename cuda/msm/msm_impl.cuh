#pragma once

#include <algorithm>

#include "cuda/device/cuda_status.hpp"
#include "cuda/msm/accumulate.cuh"
#include "cuda/msm/msm.hpp"
#include "cuda/msm/reduce.cuh"

/// Included by the one .cu of each group.

namespace baton {

namespace detail {

inline device::ReduceShape reduce_shape(const MsmWindows& windows) {
  return device::ReduceShape::of(windows.window_bits - 1, windows.groups());
}

template <class Kernel>
Status allow_shared_memory(Kernel kernel, std::size_t bytes) {
  return cuda_status(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
      "shared memory of a kernel");
}

/// Blocks that fill the current device with a persistent kernel.
Result<unsigned> persistent_blocks(unsigned per_multiprocessor);

}  // namespace detail

template <class Group>
struct Msm<Group>::Buffers {
  Point* buckets;
  Point* partials;       ///< of entry tasks
  Point* huge_partials;  ///< of partial tasks
  Point* pieces;
  Point* lines;
  Point* second_lines;
};

template <class Group>
typename Msm<Group>::Buffers Msm<Group>::take(ArenaView& arena) const {
  Buffers buffers{};
  const device::ReduceShape shape = detail::reduce_shape(windows_);
  const std::size_t groups = windows_.groups();
  buffers.buckets = arena.take<Point>(windows_.buckets());
  buffers.partials = arena.take<Point>(tasks_.partial_capacity());
  buffers.huge_partials = arena.take<Point>(tasks_.huge_partial_capacity());
  buffers.pieces = arena.take<Point>(groups * shape.pieces());
  buffers.lines = arena.take<Point>(groups * device::piece_lines(shape).lines());
  buffers.second_lines = arena.take<Point>(groups * device::second_lines(shape).lines());
  return buffers;
}

template <class Group>
Result<Msm<Group>> Msm<Group>::plan(const MsmWindows& windows, std::uint32_t capacity) {
  using Field = typename Group::Field;
  BATON_ASSIGN_OR_RETURN(TaskPlan tasks, TaskPlan::plan(windows.buckets(), capacity));
  Msm msm(windows, std::move(tasks));
  ArenaView count;
  (void)msm.take(count);
  msm.bytes_ = count.used() + msm.tasks_.bytes();
  constexpr std::size_t line_bytes = device::kLineBytes<Field>;
  BATON_RETURN_IF_ERROR(detail::allow_shared_memory(device::sum_lines<Field>, line_bytes));
  BATON_RETURN_IF_ERROR(detail::allow_shared_memory(device::weigh_sets<Field>, 2 * line_bytes));
  BATON_RETURN_IF_ERROR(
      detail::allow_shared_memory(device::sum_huge<Field>, device::kHugeBlock * sizeof(Point)));
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
  BATON_ASSIGN_OR_RETURN(const TaskSet tasks, tasks_.run(source.digits.offsets, arena, stream));
  BATON_ASSIGN_OR_RETURN(const unsigned blocks, detail::persistent_blocks(device::kSumBlocks<Field>));
  const auto enough = [blocks](std::uint32_t most) { return std::clamp(most, 1U, blocks); };
  device::SumTarget<Field> target{buffers.buckets, buffers.partials, previous};
  device::sum_entries<Field><<<blocks, device::kSumBlock, 0, stream>>>(
      tasks.entries, source.digits.entries, source.digits.index_bits, source.bases->table(),
      source.bases->present(), target);
  target.partials = buffers.huge_partials;
  device::sum_partials<Field>
      <<<enough(tasks.partials.task_capacity / device::kSumBlock), device::kSumBlock, 0, stream>>>(
          tasks.partials, buffers.partials, target);
  device::sum_huge<Field>
      <<<enough(tasks.huge.task_capacity), device::kHugeBlock, device::kHugeBlock * sizeof(Point), stream>>>(
          tasks.huge, buffers.huge_partials, target);
  return last_cuda_status("msm: accumulate");
}

template <class Group>
Status Msm<Group>::reduce(std::span<const MsmSource<Group>> sources, const Buffers& buffers,
                          cudaStream_t stream, Point* sums) const {
  using Field = typename Group::Field;
  constexpr std::size_t line_bytes = device::kLineBytes<Field>;
  const device::ReduceShape shape = detail::reduce_shape(windows_);
  const std::uint32_t groups = windows_.groups();
  device::sum_pieces<Field>
      <<<dim3((shape.pieces() + device::kPieceBlock - 1) / device::kPieceBlock, groups), device::kPieceBlock,
         0, stream>>>(buffers.buckets, sources[0].digits.offsets,
                      sources.size() > 1 ? sources[1].digits.offsets : nullptr, shape, buffers.pieces);
  const device::LineSets lines = device::piece_lines(shape);
  device::sum_lines<Field><<<dim3(lines.lines(), groups), device::kLineBlock, line_bytes, stream>>>(
      buffers.pieces, shape.pieces(), lines, buffers.lines);
  const device::LineSets second = device::second_lines(shape);
  device::sum_lines<Field><<<dim3(second.lines(), groups), device::kLineBlock, line_bytes, stream>>>(
      buffers.lines, lines.lines(), second, buffers.second_lines);
  device::weigh_sets<Field>
      <<<dim3(device::kReduceSums, groups), device::kLineBlock, 2 * line_bytes, stream>>>(
          buffers.second_lines, second.lines(), device::weighted_sets(second), sums);
  return last_cuda_status("msm: reduce");
}

namespace detail {

/// sum + 2^doublings * more.
template <class Point>
Point shifted_sum(Point more, unsigned doublings, const Point& sum) {
  for (unsigned i = 0; i < doublings && !more.is_infinity(); ++i) {
    more = device::doubled(more);
  }
  device::add(more, sum);
  return more;
}

}  // namespace detail

template <class Group>
GroupAffine<Group> Msm<Group>::finish(std::span<const Point> sums, const MsmWindows& windows) {
  const device::ReduceShape shape = detail::reduce_shape(windows);
  Point total = Point::infinity();
  for (std::size_t g = sums.size() / device::kReduceSums; g > 0; --g) {
    // Rows and columns of the row sums, rows and columns of the column sums.
    const std::span<const Point> four = sums.subspan((g - 1) * device::kReduceSums, device::kReduceSums);
    const Point rows = detail::shifted_sum(four[0], shape.log_row_columns(), four[1]);
    const Point columns = detail::shifted_sum(four[2], shape.log_column_columns(), four[3]);
    const Point group = detail::shifted_sum(rows, shape.log_columns, columns);
    total = detail::shifted_sum(total, windows.window_bits, group);
  }
  return device::to_affine(total);
}

}  // namespace baton
