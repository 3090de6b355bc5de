#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "shared/config/toml_file.hpp"
#include "shared/support/clock.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// One key of a section and where its value goes. `read` says "expected ..., found ..." without the place.
template <class Section>
struct ConfigField {
  std::string_view key;
  std::function<Status(const TomlValue&, Section&)> read;
};

/// Readers of one value; each says what it expected and what it found.
Result<std::string> read_text(const TomlValue& value);
/// An absolute path, without a trailing slash.
Result<std::string> read_path(const TomlValue& value);
Result<bool> read_boolean(const TomlValue& value);
Result<std::uint64_t> read_count(const TomlValue& value, std::uint64_t least, std::uint64_t most);
Result<double> read_number(const TomlValue& value, double least, double most);
/// 0.001 to 1e6 seconds; `least` may be 0.
Result<Milliseconds> read_seconds(const TomlValue& value, double least);
/// A whole number of bytes, or a text as "8GiB", "512MiB", "1.5GB"; with `automatic` also "auto", which is 0.
Result<std::uint64_t> read_bytes(const TomlValue& value, bool automatic);
Result<std::string> read_choice(const TomlValue& value, const std::vector<std::string_view>& choices);
Result<std::vector<std::string>> read_texts(const TomlValue& value);
/// "0-3,8".
Result<std::string> read_cpus(const TomlValue& value);

/// Stores what `read` makes of a value in a member.
template <class Section, class Member, class Read>
ConfigField<Section> field(std::string_view key, Member Section::*member, Read read) {
  return {key, [member, read](const TomlValue& value, Section& section) -> Status {
            auto result = read(value);
            if (!result.is_ok()) {
              return std::move(result).status();
            }
            section.*member = static_cast<Member>(std::move(result).value());
            return Status::ok();
          }};
}

template <class Section, class Member>
ConfigField<Section> count_field(std::string_view key, Member Section::*member, std::uint64_t least,
                                 std::uint64_t most) {
  return field(key, member, [=](const TomlValue& value) { return read_count(value, least, most); });
}

/// The known key that looks most like `key`; empty when none comes near.
[[nodiscard]] std::string_view nearest_key(std::string_view key, const std::vector<std::string_view>& known);

}  // namespace baton
