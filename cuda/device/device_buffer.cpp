#include "cuda/device/device_buffer.hpp"

#include <cuda_runtime_api.h>

#include <string>

#include "cuda/device/cuda_status.hpp"

namespace baton {

Result<DeviceBuffer> DeviceBuffer::allocate(std::size_t bytes) {
  if (bytes == 0) {
    return DeviceBuffer();
  }
  void* data = nullptr;
  BATON_RETURN_IF_ERROR(
      cuda_status(cudaMalloc(&data, bytes), "allocate " + std::to_string(bytes) + " bytes of device memory"));
  return DeviceBuffer(static_cast<std::byte*>(data), bytes);
}

DeviceBuffer::~DeviceBuffer() {
  if (data_ != nullptr) {
    (void)cudaFree(data_);
  }
}

}  // namespace baton
