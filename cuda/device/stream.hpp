#pragma once

#include <cuda_runtime_api.h>

#include <utility>

#include "shared/support/result.hpp"

namespace baton {

enum class StreamPriority : unsigned char { kNormal, kHigh };

/// Owns a non-blocking CUDA stream of the device that was current at its creation. Destroying it does not
/// wait for the work in it.
class Stream {
 public:
  static Result<Stream> create(StreamPriority priority = StreamPriority::kNormal);

  Stream(Stream&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  [[nodiscard]] cudaStream_t get() const noexcept { return handle_; }

  /// Blocks until everything in the stream is done; reports what failed in it.
  Status synchronize() const;

 private:
  explicit Stream(cudaStream_t handle) noexcept : handle_(handle) {}

  cudaStream_t handle_ = nullptr;
};

}  // namespace baton
