#pragma once

#include <cstddef>

#include "cuda/device/device_buffer.hpp"
#include "shared/support/result.hpp"

namespace baton {

inline constexpr std::size_t kDeviceAlignment = 256;

constexpr std::size_t device_aligned(std::size_t bytes) noexcept {
  return (bytes + kDeviceAlignment - 1) / kDeviceAlignment * kDeviceAlignment;
}

/// Bump allocation inside a range that somebody else owns. Given no range it only counts, so one function
/// both plans a layout and carves it: first over a counting ArenaView, then over the real one.
class ArenaView {
 public:
  ArenaView() noexcept = default;  ///< counts only
  ArenaView(std::byte* base, std::size_t bytes) noexcept : base_(base), capacity_(bytes) {}

  /// `count` objects of T, aligned; null when only counting or when the range is used up (see overflowed).
  template <class T>
  T* take(std::size_t count) noexcept {
    return reinterpret_cast<T*>(take_bytes(count * sizeof(T)));
  }

  [[nodiscard]] std::size_t used() const noexcept { return used_; }
  [[nodiscard]] bool overflowed() const noexcept { return base_ != nullptr && used_ > capacity_; }

  /// Frees everything that was taken after `used()` had this value.
  void rewind(std::size_t mark) noexcept { used_ = mark; }

 private:
  std::byte* take_bytes(std::size_t bytes) noexcept {
    const std::size_t offset = used_;
    used_ += device_aligned(bytes);
    return base_ == nullptr || used_ > capacity_ ? nullptr : base_ + offset;
  }

  std::byte* base_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
};

/// One allocation of device memory, planned before the first launch and carved by views.
class Arena {
 public:
  static Result<Arena> create(std::size_t bytes) {
    BATON_ASSIGN_OR_RETURN(DeviceBuffer buffer, DeviceBuffer::allocate(device_aligned(bytes)));
    return Arena(std::move(buffer));
  }

  [[nodiscard]] ArenaView view() const noexcept { return {buffer_.data(), buffer_.size()}; }
  [[nodiscard]] std::size_t size() const noexcept { return buffer_.size(); }

 private:
  explicit Arena(DeviceBuffer buffer) noexcept : buffer_(std::move(buffer)) {}

  DeviceBuffer buffer_;
};

}  // namespace baton
