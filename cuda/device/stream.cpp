#include "cuda/device/stream.hpp"

#include "cuda/device/cuda_status.hpp"

namespace baton {

Result<Stream> Stream::create(StreamPriority priority) {
  int lowest = 0;
  int highest = 0;
  BATON_RETURN_IF_ERROR(
      cuda_status(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "stream priorities"));
  cudaStream_t handle = nullptr;
  BATON_RETURN_IF_ERROR(
      cuda_status(cudaStreamCreateWithPriority(&handle, cudaStreamNonBlocking,
                                               priority == StreamPriority::kHigh ? highest : lowest),
                  "create a stream"));
  return Stream(handle);
}

Stream::~Stream() {
  if (handle_ != nullptr) {
    (void)cudaStreamDestroy(handle_);
  }
}

Status Stream::synchronize() const {
  return cuda_status(cudaStreamSynchronize(handle_), "wait for a stream");
}

}  // namespace baton
