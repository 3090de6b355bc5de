#include "shared/config/toml_file.hpp"

#include <toml++/toml.h>

#include "shared/support/concat.hpp"

namespace baton {

namespace {

Result<TomlValue> convert(const toml::node& node, const std::string& name);

unsigned line_of(const toml::node& node) {
  return node.source().begin.line;
}

Result<TomlTable> convert_table(const toml::table& table, const std::string& name) {
  TomlTable entries;
  for (const auto& [key, node] : table) {
    BATON_ASSIGN_OR_RETURN(TomlValue value, convert(node, name));
    const unsigned line = key.source().begin.line != 0 ? key.source().begin.line : value.line;
    entries.push_back({std::string(key.str()), line, std::move(value)});
  }
  return entries;
}

Result<TomlArray> convert_array(const toml::array& array, const std::string& name) {
  TomlArray values;
  for (const toml::node& node : array) {
    BATON_ASSIGN_OR_RETURN(TomlValue value, convert(node, name));
    values.push_back(std::move(value));
  }
  return values;
}

Result<TomlValue> convert(const toml::node& node, const std::string& name) {
  TomlValue value{line_of(node), {}};
  if (const auto* text = node.as_string()) {
    value.data = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.data = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    value.data = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.data = boolean->get();
  } else if (const auto* array = node.as_array()) {
    BATON_ASSIGN_OR_RETURN(value.data, convert_array(*array, name));
  } else if (const auto* table = node.as_table()) {
    BATON_ASSIGN_OR_RETURN(value.data, convert_table(*table, name));
  } else {
    return invalid_input(concat(name, ":", value.line, ": dates and times mean nothing here"));
  }
  return value;
}

}  // namespace

std::string_view TomlValue::kind() const noexcept {
  constexpr std::string_view kKinds[] = {"a text",    "a whole number", "a number",
                                         "a boolean", "a list",         "a section"};
  return kKinds[data.index()];
}

Result<TomlTable> parse_toml(std::string_view text, const std::string& name) {
  try {
    return convert_table(toml::parse(text, name), name);
  } catch (const toml::parse_error& error) {
    return invalid_input(concat(name, ":", error.source().begin.line, ": ", error.description()));
  }
}

}  // namespace baton
