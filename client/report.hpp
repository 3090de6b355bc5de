#pragma once

#include "shared/support/status.hpp"

namespace baton {

/// Prints "baton: message" on standard error and returns the exit code that fits the failure.
int report_failure(const Status& status);

/// The exit code that fits a failure: 2 for inputs that cannot be used, 69, 75 and 78 for the service's
/// troubles, 1 for the rest.
int exit_code_of(const Status& status);

}  // namespace baton
