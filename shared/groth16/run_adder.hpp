#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shared/groth16/batch_inverse.hpp"

namespace baton {

/// Adds up many independent runs of affine points at once: in every round neighbours are added in pairs, and
/// all pairs of all runs share one inversion. Equal points, opposite points and infinity are handled. Keeps
/// its memory, which is bounded by kCapacity points. One thread at a time.
template <class Affine>
class RunAdder {
 public:
  using Field = typename Affine::Field;
  static constexpr std::size_t kCapacity = std::size_t{1 << 18} / sizeof(Affine);

  /// Starts over with no runs.
  void clear() {
    points_.resize(kCapacity);
    used_ = 0;
    runs_.clear();
  }

  /// Room left, in points.
  [[nodiscard]] std::size_t room() const noexcept { return kCapacity - used_; }

  void begin_run() { runs_.push_back({static_cast<std::uint32_t>(used_), 0}); }

  /// Adds a point, or minus the point, to the last run; infinity adds nothing.
  void push(const Affine& point, bool negative = false) {
    if (!point.is_infinity()) {
      Affine& place = points_[used_++];
      place.x = point.x;
      place.y = point.y.negated_if(negative);
      ++runs_.back().length;
    }
  }

  [[nodiscard]] std::size_t run_count() const noexcept { return runs_.size(); }

  /// After `reduce`: the sum of run `index`.
  [[nodiscard]] Affine sum(std::size_t index) const {
    const Run& run = runs_[index];
    return run.length == 0 ? Affine::infinity() : points_[run.begin];
  }

  /// Reduces each run to its sum.
  void reduce() {
    active_.clear();
    for (std::uint32_t i = 0; i < runs_.size(); ++i) {
      if (runs_[i].length > 1) {
        active_.push_back(i);
      }
    }
    while (!active_.empty()) {
      collect_denominators();
      inverses_.invert();
      add_pairs();
    }
  }

 private:
  struct Run {
    std::uint32_t begin;
    std::uint32_t length;
  };

  /// Sets `to` to what the slope of the line through p and q is divided by; one where the sum is infinity.
  static void set_denominator(const Affine& p, const Affine& q, Field& to) {
    to = q.x - p.x;
    if (to.is_zero()) [[unlikely]] {
      to = p.y == q.y && !p.y.is_zero() ? p.y.doubled() : Field::one();
    }
  }

  void collect_denominators() {
    inverses_.reset(kCapacity / 2);
    for (const std::uint32_t index : active_) {
      const Affine* point = points_.data() + runs_[index].begin;
      for (std::uint32_t pairs = runs_[index].length / 2; pairs != 0; --pairs, point += 2) {
        set_denominator(point[0], point[1], inverses_.next());
      }
    }
  }

  /// One round over the active runs; those that are done are active no longer.
  void add_pairs() {
    std::size_t next_inverse = 0;
    std::size_t still_active = 0;
    for (const std::uint32_t index : active_) {
      Run& run = runs_[index];
      Affine* out = points_.data() + run.begin;
      const Affine* in = out;
      for (std::uint32_t pairs = run.length / 2; pairs != 0; --pairs, in += 2) {
        out += add_pair(in[0], in[1], inverses_[next_inverse++], *out) ? 1 : 0;
      }
      if (run.length % 2 != 0) {
        *out++ = *in;
      }
      run.length = static_cast<std::uint32_t>(out - (points_.data() + run.begin));
      if (run.length > 1) {
        active_[still_active++] = index;
      }
    }
    active_.resize(still_active);
  }

  /// sum = p + q (`sum` may be p); false when that is infinity.
  static bool add_pair(const Affine& p, const Affine& q, const Field& inverse, Affine& sum) {
    Field slope = q.y - p.y;
    if (p.x == q.x) [[unlikely]] {
      if (!slope.is_zero() || p.y.is_zero()) {
        return false;
      }
      const Field square = p.x.square();
      slope = square.doubled() + square;
    }
    slope *= inverse;
    const Field square = slope.square();
    const Field less = square - p.x;
    sum.x = less - q.x;
    const Field back = q.x - sum.x;
    const Field rise = slope * back;
    sum.y = rise - q.y;
    return true;
  }

  std::vector<Affine> points_;
  std::size_t used_ = 0;
  std::vector<Run> runs_;
  std::vector<std::uint32_t> active_;  ///< indices of runs with more than one point
  BatchInverse<Field> inverses_;
};

}  // namespace baton
