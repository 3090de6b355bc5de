#pragma once

#include <string>
#include <string_view>

#include "shared/support/result.hpp"

namespace baton {

/// Where a sibling program of this one is (same directory as this executable).
Result<std::string> sibling_program(std::string_view name);

/// The run directory of the service: `option` when given, else BATON_RUN_DIR, else /run/baton for root, else
/// XDG_RUNTIME_DIR/baton, else ~/.baton/run. Absolute, without a trailing slash.
std::string default_run_directory(const std::string& option);

}  // namespace baton
