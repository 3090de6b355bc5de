#pragma once

#include <string>
#include <string_view>

#include "shared/support/result.hpp"

namespace baton {

/// Where a proof goes.
struct OutputPaths {
  std::string proof;
  std::string publics;
};

/// Fails early, before any work, when a file could not be made at either place. Leaves nothing.
Status check_output_paths(const OutputPaths& paths);

/// Writes both files. What can fail for want of space or rights fails before either name exists; an old pair
/// is replaced by renaming.
Status write_outputs(const OutputPaths& paths, std::string_view proof, std::string_view publics);

}  // namespace baton
