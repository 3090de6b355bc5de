#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace baton::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

inline std::span<const std::byte> bytes_of(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

/// A copy of its own, so that a read past the end is seen.
inline std::vector<std::byte> copy_of(const std::uint8_t* data, std::size_t size) {
  const auto bytes = bytes_of(data, size);
  return {bytes.begin(), bytes.end()};
}

}  // namespace baton::fuzz
