#pragma once

#include <string_view>
#include <vector>

#include "shared/support/result.hpp"

namespace baton {

/// The CPUs that "0-3,8" names, ascending.
Result<std::vector<unsigned>> parse_cpu_set(std::string_view text);

/// This process and all that it starts later run on these CPUs only; an empty text changes nothing. Call it
/// before any thread starts.
Status use_cpus(std::string_view text);

/// How many CPUs this process may use; at least 1.
[[nodiscard]] unsigned usable_cpus() noexcept;

}  // namespace baton
