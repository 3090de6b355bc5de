#pragma once

#include <memory>

#include "gpu-worker/options.hpp"
#include "shared/groth16/prover_backend.hpp"
#include "shared/support/log.hpp"

namespace baton {

/// The backend that the options name. `auto` takes CUDA where this build has it and a device answers, else
/// the CPU. May take a while: a CUDA context is made.
Result<std::unique_ptr<ProverBackend>> make_backend(const GpuOptions& options, const Log& log);

}  // namespace baton
