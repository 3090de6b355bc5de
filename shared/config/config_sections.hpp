#pragma once

#include <string>

#include "shared/config/configuration.hpp"
#include "shared/config/toml_file.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// The document as a configuration; `name` stands in messages.
Result<Configuration> read_sections(const TomlTable& document, const std::string& name);

}  // namespace baton
