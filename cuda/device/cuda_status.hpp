#pragma once

#include <cuda_runtime_api.h>

#include <string_view>

#include "shared/support/status.hpp"

namespace baton {

/// Which failure an error of the CUDA runtime is: kNoSpace (device memory), kGpuSticky (the context is
/// poisoned, the process must exit) or kGpuTransient (everything else).
[[nodiscard]] StatusCode cuda_status_code(cudaError_t error) noexcept;

/// Success, or the failure of `what` with the runtime's name and text of the error. Clears the pending error
/// of this thread, so that the next call is not blamed for it.
Status cuda_status(cudaError_t error, std::string_view what);

/// The pending error of this thread (a launch that was refused, or an earlier kernel that failed), cleared.
Status last_cuda_status(std::string_view what);

}  // namespace baton
