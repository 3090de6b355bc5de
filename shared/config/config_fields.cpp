#include "shared/config/config_fields.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "shared/support/concat.hpp"
#include "shared/support/cpu_set.hpp"

namespace baton {

namespace {

/// The value as a person would write it, for messages.
std::string shown(const TomlValue& value) {
  if (const auto* text = std::get_if<std::string>(&value.data)) {
    return concat("\"", *text, "\"");
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value.data)) {
    return std::to_string(*integer);
  }
  return std::string(value.kind());
}

Status expected(std::string_view what, const TomlValue& value) {
  return invalid_input(concat("expected ", what, ", found ", shown(value)));
}

std::string short_number(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

/// Bytes in one of a unit; 0: no such unit.
double unit_bytes(std::string_view unit) {
  struct Unit {
    std::string_view name;
    double bytes;
  };
  constexpr Unit kUnits[] = {{"", 1},
                             {"B", 1},
                             {"kB", 1e3},
                             {"KB", 1e3},
                             {"MB", 1e6},
                             {"GB", 1e9},
                             {"TB", 1e12},
                             {"KiB", 1024.0},
                             {"MiB", 1048576.0},
                             {"GiB", 1073741824.0},
                             {"TiB", 1099511627776.0}};
  for (const Unit& known : kUnits) {
    if (known.name == unit) {
      return known.bytes;
    }
  }
  return 0;
}

/// How many letters must be changed, added or removed between two words.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

Result<std::string> read_text(const TomlValue& value) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (text == nullptr) {
    return expected("a text", value);
  }
  return *text;
}

Result<std::string> read_path(const TomlValue& value) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (text == nullptr || text->empty() || text->front() != '/') {
    return expected("an absolute path", value);
  }
  std::string path = std::filesystem::path(*text).lexically_normal().string();
  if (path.size() > 1 && path.back() == '/') {
    path.pop_back();
  }
  return path;
}

Result<bool> read_boolean(const TomlValue& value) {
  const auto* boolean = std::get_if<bool>(&value.data);
  if (boolean == nullptr) {
    return expected("true or false", value);
  }
  return *boolean;
}

Result<std::uint64_t> read_count(const TomlValue& value, std::uint64_t least, std::uint64_t most) {
  const auto* integer = std::get_if<std::int64_t>(&value.data);
  if (integer == nullptr || *integer < 0 || static_cast<std::uint64_t>(*integer) < least ||
      static_cast<std::uint64_t>(*integer) > most) {
    return expected(concat("a whole number from ", least, " to ", most), value);
  }
  return static_cast<std::uint64_t>(*integer);
}

Result<double> read_number(const TomlValue& value, double least, double most) {
  double number = NAN;
  if (const auto* integer = std::get_if<std::int64_t>(&value.data)) {
    number = static_cast<double>(*integer);
  } else if (const auto* real = std::get_if<double>(&value.data)) {
    number = *real;
  }
  if (!(number >= least && number <= most)) {
    return expected(concat("a number from ", short_number(least), " to ", short_number(most)), value);
  }
  return number;
}

Result<Milliseconds> read_seconds(const TomlValue& value, double least) {
  BATON_ASSIGN_OR_RETURN(const double seconds, read_number(value, least, 1e6));
  return Milliseconds(static_cast<Milliseconds::rep>(std::ceil(seconds * 1000)));
}

Result<std::uint64_t> read_bytes(const TomlValue& value, bool automatic) {
  const Status mistake =
      expected(automatic ? "\"auto\", or a size as \"8GiB\"" : "a size as \"8GiB\" or \"512MiB\"", value);
  if (const auto* integer = std::get_if<std::int64_t>(&value.data)) {
    return *integer > 0 ? Result<std::uint64_t>(static_cast<std::uint64_t>(*integer)) : mistake;
  }
  const auto* text = std::get_if<std::string>(&value.data);
  if (text == nullptr) {
    return mistake;
  }
  if (automatic && *text == "auto") {
    return std::uint64_t{0};
  }
  double number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  std::string_view unit(end, static_cast<std::size_t>(text->data() + text->size() - end));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  const double bytes = number * unit_bytes(unit);
  if (error != std::errc() || !(bytes >= 1 && bytes < 1e18)) {
    return mistake;
  }
  return static_cast<std::uint64_t>(bytes);
}

Result<std::string> read_choice(const TomlValue& value, const std::vector<std::string_view>& choices) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (text != nullptr && std::find(choices.begin(), choices.end(), *text) != choices.end()) {
    return *text;
  }
  std::string list;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    list += concat(i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ", "\"", choices[i], "\"");
  }
  return expected(list, value);
}

Result<std::vector<std::string>> read_texts(const TomlValue& value) {
  const auto* array = std::get_if<TomlArray>(&value.data);
  if (array == nullptr) {
    return expected("a list of texts", value);
  }
  std::vector<std::string> texts;
  for (const TomlValue& entry : *array) {
    const auto* text = std::get_if<std::string>(&entry.data);
    if (text == nullptr) {
      return expected("a list of texts", entry);
    }
    texts.push_back(*text);
  }
  return texts;
}

Result<std::string> read_cpus(const TomlValue& value) {
  BATON_ASSIGN_OR_RETURN(std::string text, read_text(value));
  if (!text.empty()) {
    BATON_RETURN_IF_ERROR(parse_cpu_set(text).status());
  }
  return text;
}

std::string_view nearest_key(std::string_view key, const std::vector<std::string_view>& known) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(2, key.size() / 2) + 1;
  for (const std::string_view candidate : known) {
    if (const std::size_t away = distance(key, candidate); away < least) {
      least = away;
      best = candidate;
    }
  }
  return best;
}

}  // namespace baton
