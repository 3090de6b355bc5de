#pragma once

#include <cstddef>
#include <span>

#include "shared/support/result.hpp"
#include "synth-worker/constraint_matrix.hpp"

namespace baton {

/// Where the products go: domain_size() Montgomery scalars of 32 bytes each, zero beyond the rows in use. An
/// empty span is not written.
struct ConstraintOutputs {
  std::span<std::byte> a;
  std::span<std::byte> b;
  std::span<std::byte> c;  ///< must be empty when C is not known
};

/// a = A w, b = B w and, when it is known, c = C w, from the canonical values `w` (n_vars() * 32 bytes, each
/// below r); parallel by rows. With C, kUnsatisfied names the first constraint (counted from 0) that w
/// violates; the outputs are complete nevertheless.
[[nodiscard]] Status evaluate_constraints(const ConstraintMatrix& matrix, std::span<const std::byte> w,
                                          const ConstraintOutputs& out);

}  // namespace baton
