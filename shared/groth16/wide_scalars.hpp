#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace baton {

/// Which scalars are 2^kNarrowBits or more. Witnesses are mostly bits and small numbers; the windows above
/// those look at the others only. Keeps its memory. Uses the threads of the caller's arena.
class WideScalars {
 public:
  /// Looks through canonical little-endian scalars of 32 bytes.
  void find(std::span<const std::byte> scalars);

  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// True when there are so many that a list would not pay; `indices` is empty then.
  [[nodiscard]] bool most() const noexcept { return most_; }
  /// In rising order.
  [[nodiscard]] std::span<const std::uint32_t> indices() const noexcept { return {indices_.data(), listed_}; }

 private:
  std::vector<std::uint32_t> indices_;
  std::vector<std::size_t> offsets_;
  std::size_t count_ = 0;
  std::size_t listed_ = 0;
  bool most_ = false;
};

}  // namespace baton
