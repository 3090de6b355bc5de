#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "shared/support/result.hpp"

namespace baton {

enum class MappingAccess : std::uint8_t { kReadOnly, kReadWrite };

/// A whole file mapped shared, left out of core dumps and of forked children. The descriptor stays the
/// caller's. Moving it does not move the bytes.
class MemoryMapping {
 public:
  static Result<MemoryMapping> map(int fd, std::size_t bytes, MappingAccess access);
  ~MemoryMapping();
  MemoryMapping(MemoryMapping&&) noexcept;
  MemoryMapping& operator=(MemoryMapping&&) noexcept;

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept;
  /// Empty when mapped read-only.
  [[nodiscard]] std::span<std::byte> writable_bytes() const noexcept;

  /// Makes every page present, with `threads` threads: no page fault happens later. Existing bytes stay.
  Status populate(unsigned threads) const;

 private:
  struct Impl;
  explicit MemoryMapping(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

}  // namespace baton
