#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cuda/device/arena.hpp"
#include "cuda/prover/lane.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// One allocation of device memory, cut into equal parts for the lanes. Exchanged only while no proof runs.
class WorkMemory {
 public:
  [[nodiscard]] std::size_t bytes() const noexcept { return arena_ ? arena_->size() : 0; }
  [[nodiscard]] std::size_t part_bytes() const noexcept { return part_bytes_; }

  /// Gives every lane at least `part_bytes`. On failure the lanes keep parts of the old size.
  Status grow(std::size_t part_bytes, std::vector<Lane>& lanes) {
    const std::size_t old_bytes = part_bytes_;
    const Status grown = allocate(part_bytes, lanes);
    if (!grown.is_ok() && old_bytes != 0) {
      BATON_RETURN_IF_ERROR(allocate(old_bytes, lanes));
    }
    return grown;
  }

 private:
  Status allocate(std::size_t part_bytes, std::vector<Lane>& lanes) {
    arena_.reset();
    part_bytes_ = 0;
    const std::size_t aligned = device_aligned(part_bytes);
    BATON_ASSIGN_OR_RETURN(Arena arena, Arena::create(aligned * lanes.size()));
    ArenaView view = arena.view();
    for (Lane& lane : lanes) {
      lane.part = ArenaView(view.take<std::byte>(aligned), aligned);
    }
    arena_.emplace(std::move(arena));
    part_bytes_ = part_bytes;
    return {};
  }

  std::optional<Arena> arena_;
  std::size_t part_bytes_ = 0;
};

}  // namespace baton
