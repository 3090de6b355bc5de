#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "shared/support/result.hpp"

namespace baton {

struct TomlEntry;
struct TomlValue;
using TomlArray = std::vector<TomlValue>;
/// Entries of one table, in order of their keys.
using TomlTable = std::vector<TomlEntry>;

/// One value and the line where it stands.
struct TomlValue {
  unsigned line = 0;
  std::variant<std::string, std::int64_t, double, bool, TomlArray, TomlTable> data;

  /// "a text", "a number" ...: what a person would call it.
  [[nodiscard]] std::string_view kind() const noexcept;
};

struct TomlEntry {
  std::string key;
  unsigned line = 0;
  TomlValue value;
};

/// The document; `name` stands in messages. Dates and times are refused.
Result<TomlTable> parse_toml(std::string_view text, const std::string& name);

}  // namespace baton
