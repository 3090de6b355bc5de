#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shared/formats/byte_source.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// One section of a container: `length` bytes at `offset`, inside the file.
struct Section {
  std::uint32_t id = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// The container that circom and snarkjs put around keys, witnesses and constraints:
///
///     magic[4]  u32 version  u32 count  count * { u32 id  u64 length  byte[length] }
///
/// Sections come in any order; an id that occurs twice is refused; bytes after the last section are ignored.
class SectionFile {
 public:
  /// Scans the table. `version` is the only one taken. Messages begin with the name of the source.
  [[nodiscard]] static Result<SectionFile> scan(const ByteSource& source, std::string_view magic,
                                                std::uint32_t version);

  [[nodiscard]] bool has(std::uint32_t id) const noexcept { return lookup(id) != nullptr; }

  /// The section, or an error that says it is missing.
  [[nodiscard]] Result<Section> find(std::uint32_t id) const;

 private:
  explicit SectionFile(std::string name) noexcept : name_(std::move(name)) {}
  [[nodiscard]] Status scan_sections(const ByteSource& source, std::uint32_t count);
  [[nodiscard]] const Section* lookup(std::uint32_t id) const noexcept;

  std::string name_;
  std::vector<Section> sections_;
};

}  // namespace baton
