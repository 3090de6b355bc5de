#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shared/config/configuration.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// Where `scripts/install.sh` puts the file.
inline constexpr const char* kInstalledConfigFile = "/etc/baton/baton.toml";

/// The file at `path`, checked whole: unknown keys and values out of bounds are errors that name file, line
/// and key.
Result<Configuration> read_config_file(const std::string& path);

/// The same of a text; `name` stands in messages.
Result<Configuration> parse_config(std::string_view text, const std::string& name);

/// The file that `--config FILE` or `--config=FILE` names, else the environment's BATON_CONFIG; nothing when
/// neither is there. Looked for before the command line is parsed, so that options can win over the file.
std::optional<std::string> config_path_of(int argc, const char* const* argv);

/// That file's content, or the defaults; always these where there is a `--private`: a private pipeline is
/// nobody's service.
Result<Configuration> config_of_command_line(int argc, const char* const* argv);

}  // namespace baton
