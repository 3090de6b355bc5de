#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <utility>

#include "cuda/device/cuda_status.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// Owns page-locked host memory that the device reads and writes at full speed.
class HostBuffer {
 public:
  static Result<HostBuffer> allocate(std::size_t bytes) {
    void* data = nullptr;
    BATON_RETURN_IF_ERROR(
        cuda_status(cudaHostAlloc(&data, bytes, cudaHostAllocPortable), "allocate page-locked memory"));
    return HostBuffer(static_cast<std::byte*>(data), bytes);
  }

  HostBuffer(HostBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  HostBuffer& operator=(HostBuffer&&) = delete;
  ~HostBuffer() {
    if (data_ != nullptr) {
      (void)cudaFreeHost(data_);
    }
  }

  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  HostBuffer(std::byte* data, std::size_t size) noexcept : data_(data), size_(size) {}

  std::byte* data_;
  std::size_t size_;
};

}  // namespace baton
