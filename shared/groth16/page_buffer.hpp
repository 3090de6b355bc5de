#pragma once

#include <cstddef>
#include <span>

#include "shared/support/result.hpp"

namespace baton {

/// Private zeroed memory of its own mapping, on huge pages where the system gives them, so that random reads
/// of large tables do not miss the TLB. Gives everything back when it is destroyed.
class PageBuffer {
 public:
  PageBuffer() noexcept = default;
  /// kNoSpace when there is no memory.
  [[nodiscard]] static Result<PageBuffer> allocate(std::size_t bytes);

  PageBuffer(PageBuffer&& other) noexcept;
  PageBuffer& operator=(PageBuffer&& other) noexcept;
  PageBuffer(const PageBuffer&) = delete;
  PageBuffer& operator=(const PageBuffer&) = delete;
  ~PageBuffer();

  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return bytes_; }

 private:
  void release() noexcept;

  void* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  std::span<std::byte> bytes_;
};

}  // namespace baton
