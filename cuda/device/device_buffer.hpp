#pragma once

#include <cstddef>
#include <utility>

#include "shared/support/result.hpp"

namespace baton {

/// Owns one allocation of device memory (256-byte aligned). Allocation and release may synchronise the whole
/// device: never in steady state.
class DeviceBuffer {
 public:
  DeviceBuffer() noexcept = default;

  /// kNoSpace when the device has not that much left. Zero bytes give an empty buffer.
  static Result<DeviceBuffer> allocate(std::size_t bytes);

  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer();

  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  template <class T>
  [[nodiscard]] T* as() const noexcept {
    return reinterpret_cast<T*>(data_);
  }

 private:
  DeviceBuffer(std::byte* data, std::size_t size) noexcept : data_(data), size_(size) {}

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace baton
