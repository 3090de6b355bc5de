#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace baton {

static_assert(std::endian::native == std::endian::little, "files are read without swapping bytes");

/// Takes little-endian fields from the front of a range. A read past the end gives zeros and sets failed();
/// so a run of fields is checked once, at its end.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  template <class Integer>
  [[nodiscard]] Integer take() noexcept {
    static_assert(std::is_unsigned_v<Integer>);
    Integer value = 0;
    if (const auto field = take_bytes(sizeof value); !field.empty()) {
      std::memcpy(&value, field.data(), sizeof value);
    }
    return value;
  }

  /// The next `count` bytes, or none of them.
  [[nodiscard]] std::span<const std::byte> take_bytes(std::size_t count) noexcept {
    if (count > bytes_.size()) {
      failed_ = true;
      bytes_ = {};
      return {};
    }
    const auto field = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return field;
  }

  [[nodiscard]] bool failed() const noexcept { return failed_; }
  [[nodiscard]] std::size_t left() const noexcept { return bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
  bool failed_ = false;
};

}  // namespace baton
