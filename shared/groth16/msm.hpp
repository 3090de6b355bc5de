#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "shared/groth16/point_table.hpp"

namespace baton {

/// One sum to compute, sum over i of scalar[first_scalar + i] * table[i], and where it goes.
template <class Affine>
struct MsmTerm {
  PointTable<Affine> table;
  Affine* result = nullptr;
  std::atomic<std::int64_t>* work_ns = nullptr;  ///< if not null: grows by the time of its windows' sums
};

/// Sums over the same scalars: their digits are sorted once for all of them.
template <class Curve>
struct MsmGroup {
  std::span<const std::byte> scalars;  ///< canonical, 32 bytes each, below the field's modulus
  std::vector<MsmTerm<typename Curve::G1Affine>> g1;
  std::vector<MsmTerm<typename Curve::G2Affine>> g2;
};

/// Pippenger's multi-scalar multiplication with signed digits and affine buckets. The time depends on the
/// number of non-zero digits and not on how they are distributed. Keeps its memory from call to call: per
/// thread about 2 MiB, and for each of at most kMaxContexts windows in progress 8 bytes a scalar and the
/// buckets. One caller at a time; uses the threads of the caller's arena.
template <class Curve>
class Msm {
 public:
  Msm();
  ~Msm();
  Msm(const Msm&) = delete;
  Msm& operator=(const Msm&) = delete;

  void compute(std::span<const MsmGroup<Curve>> groups);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace baton
