#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace baton::test {

using Bytes = std::vector<std::byte>;

/// Appends little-endian fields to a growing range.
class ByteWriter {
 public:
  template <class Value>
  ByteWriter& put(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    return put_bytes(std::as_bytes(std::span(&value, 1)));
  }
  ByteWriter& put_bytes(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  ByteWriter& put_text(std::string_view text) {
    return put_bytes(std::as_bytes(std::span(text.data(), text.size())));
  }

  [[nodiscard]] const Bytes& bytes() const noexcept { return bytes_; }

 private:
  Bytes bytes_;
};

/// Overwrites a field inside `bytes`.
template <class Value>
void poke(Bytes& bytes, std::size_t offset, const Value& value) {
  static_assert(std::is_trivially_copyable_v<Value>);
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

/// A section of a container that is being made.
struct SampleSection {
  std::uint32_t id = 0;
  Bytes bytes;
};

/// A whole container; tests change its parts, then take the bytes.
struct SampleContainer {
  std::string_view magic;
  std::uint32_t version = 0;
  std::vector<SampleSection> sections;

  /// The bytes of section `id`, which must exist.
  Bytes& section(std::uint32_t id) {
    for (SampleSection& candidate : sections) {
      if (candidate.id == id) {
        return candidate.bytes;
      }
    }
    std::abort();
  }

  void remove(std::uint32_t id) {
    std::erase_if(sections, [id](const SampleSection& candidate) { return candidate.id == id; });
  }

  [[nodiscard]] Bytes bytes() const {
    ByteWriter writer;
    writer.put_text(magic).put(version).put(static_cast<std::uint32_t>(sections.size()));
    for (const SampleSection& entry : sections) {
      writer.put(entry.id).put(std::uint64_t{entry.bytes.size()}).put_bytes(entry.bytes);
    }
    return writer.bytes();
  }

  /// Where the header of the section with `id` begins in bytes().
  [[nodiscard]] std::size_t header_offset(std::uint32_t id) const {
    std::size_t offset = 12;
    for (const SampleSection& entry : sections) {
      if (entry.id == id) {
        return offset;
      }
      offset += 12 + entry.bytes.size();
    }
    std::abort();
  }
};

}  // namespace baton::test
