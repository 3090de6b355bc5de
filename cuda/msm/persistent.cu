#include <cuda_runtime_api.h>

#include "cuda/device/cuda_status.hpp"
#include "cuda/msm/msm_impl.cuh"

namespace baton::detail {

Result<unsigned> persistent_blocks(unsigned per_multiprocessor) {
  int device = 0;
  int multiprocessors = 0;
  BATON_RETURN_IF_ERROR(cuda_status(cudaGetDevice(&device), "the current device"));
  BATON_RETURN_IF_ERROR(
      cuda_status(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
                  "number of multiprocessors"));
  return static_cast<unsigned>(multiprocessors) * per_multiprocessor;
}

}  // namespace baton::detail
