#include "shared/formats/section_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>

#include "shared/formats/byte_reader.hpp"
#include "shared/support/concat.hpp"

namespace baton {

namespace {

constexpr std::uint64_t kFileHeaderBytes = 12;
constexpr std::uint64_t kSectionHeaderBytes = 12;
constexpr std::uint32_t kMostSections = 256;  // the formats define 18 at most

std::string printable(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    const auto c = static_cast<unsigned char>(byte);
    text.push_back(std::isprint(c) != 0 ? static_cast<char>(c) : '?');
  }
  return text;
}

}  // namespace

Result<SectionFile> SectionFile::scan(const ByteSource& source, std::string_view magic,
                                      std::uint32_t version) {
  if (source.size() < kFileHeaderBytes) {
    return invalid_input(concat(source.name(), ": truncated: ", source.size(), " bytes, a ", magic,
                                " file has at least ", kFileHeaderBytes));
  }
  std::array<std::byte, kFileHeaderBytes> header{};
  BATON_RETURN_IF_ERROR(source.read(0, header));
  ByteReader reader(header);
  const std::string found = printable(reader.take_bytes(4));
  if (found != magic) {
    return invalid_input(concat(source.name(), ": not a ", magic, " file: it begins with \"", found, "\""));
  }
  if (const auto number = reader.take<std::uint32_t>(); number != version) {
    return invalid_input(
        concat(source.name(), ": unsupported ", magic, " version ", number, ", expected ", version));
  }
  const auto count = reader.take<std::uint32_t>();
  SectionFile file(source.name());
  BATON_RETURN_IF_ERROR(file.scan_sections(source, count));
  return file;
}

Status SectionFile::scan_sections(const ByteSource& source, std::uint32_t count) {
  const std::uint64_t size = source.size();
  if (count > kMostSections || count > (size - kFileHeaderBytes) / kSectionHeaderBytes) {
    return invalid_input(concat(name_, ": section table: ", count, " sections do not fit the file of ", size,
                                " bytes (at most ", kMostSections, ")"));
  }
  std::uint64_t position = kFileHeaderBytes;
  for (std::uint32_t index = 0; index < count; ++index) {
    if (size - position < kSectionHeaderBytes) {
      return invalid_input(concat(name_, ": truncated: the header of section ", index + 1, " of ", count,
                                  " is at byte ", position, ", the file ends at ", size));
    }
    std::array<std::byte, kSectionHeaderBytes> header{};
    BATON_RETURN_IF_ERROR(source.read(position, header));
    position += kSectionHeaderBytes;
    ByteReader reader(header);
    const auto id = reader.take<std::uint32_t>();
    const auto length = reader.take<std::uint64_t>();
    if (length > size - position) {
      return invalid_input(concat(name_, ": section ", id, ": truncated: length ", length, " at byte ",
                                  position, " is beyond the end of file at ", size));
    }
    if (has(id)) {
      return invalid_input(concat(name_, ": section ", id, " occurs twice"));
    }
    sections_.push_back({id, position, length});
    position += length;
  }
  return {};
}

const Section* SectionFile::lookup(std::uint32_t id) const noexcept {
  const auto found = std::find_if(sections_.begin(), sections_.end(),
                                  [id](const Section& section) { return section.id == id; });
  return found == sections_.end() ? nullptr : &*found;
}

Result<Section> SectionFile::find(std::uint32_t id) const {
  if (const Section* section = lookup(id)) {
    return *section;
  }
  return invalid_input(concat(name_, ": section ", id, " is missing"));
}

}  // namespace baton
