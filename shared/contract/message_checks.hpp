#pragma once

#include "shared/contract/messages.pb.h"
#include "shared/support/status.hpp"

namespace baton {

/// Ok when every id, enum, code, length and count of the body is in range; kCorrupt names the first that is
/// not.
[[nodiscard]] Status check_message(const wire::Envelope& envelope);

}  // namespace baton
