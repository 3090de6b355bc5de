#include "shared/config/config_file.hpp"

#include <cstdlib>

#include "shared/config/config_sections.hpp"
#include "shared/config/toml_file.hpp"
#include "shared/support/posix.hpp"

namespace baton {

namespace {
constexpr std::size_t kLongestFile = std::size_t{1} << 20;
constexpr std::string_view kOption = "--config";
}  // namespace

Result<Configuration> parse_config(std::string_view text, const std::string& name) {
  BATON_ASSIGN_OR_RETURN(const TomlTable document, parse_toml(text, name));
  return read_sections(document, name);
}

Result<Configuration> read_config_file(const std::string& path) {
  BATON_ASSIGN_OR_RETURN(const std::string text, read_small_file(path, kLongestFile));
  return parse_config(text, path);
}

std::optional<std::string> config_path_of(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == kOption && i + 1 < argc) {
      return argv[i + 1];
    }
    if (argument.starts_with(kOption) && argument.substr(kOption.size()).starts_with('=')) {
      return std::string(argument.substr(kOption.size() + 1));
    }
  }
  const char* named = std::getenv("BATON_CONFIG");
  return named != nullptr && *named != '\0' ? std::optional<std::string>(named) : std::nullopt;
}

Result<Configuration> config_of_command_line(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--private") {
      return Configuration{};
    }
  }
  const std::optional<std::string> path = config_path_of(argc, argv);
  return path ? read_config_file(*path) : Result<Configuration>(Configuration{});
}

}  // namespace baton
