#pragma once

#include "shared/groth16/prover_backend.hpp"
#include "shared/support/status.hpp"

namespace baton {

/// Proves a small made-up input on each curve, twice, and compares the sums with those that a plain
/// computation on the host gives. kGpuSticky when they differ. Leaves no key behind.
Status run_self_test(ProverBackend& backend);

}  // namespace baton
