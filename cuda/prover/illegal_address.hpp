#pragma once

#include <cuda_runtime_api.h>

#include "shared/support/status.hpp"

namespace baton {

/// Enqueues a kernel that writes where nothing is, which poisons the context. For fault points only.
Status touch_illegal_address(cudaStream_t stream);

}  // namespace baton
