#pragma once

#include "shared/support/status.hpp"

/// Named places where a test makes this process fail. Armed by the environment variable BATON_FAULTS,
/// "point=action@n" separated by commas: the action happens at the n-th time the point is passed (1 when
/// @n is missing), n counted over all threads. Compiled to nothing without the BATON_FAULTS option.
///
///   kill   SIGKILL to this process          stop     SIGSTOP to this process
///   exit   _exit(1)                         delay:MS sleeps so long (100 when :MS is missing)
///   error, corrupt, short                   reported to the caller, who acts
namespace baton {

enum class FaultAction { kNone, kError, kCorrupt, kShort };

#ifdef BATON_FAULTS
/// Carries out what is armed for `point` and says what is left for the caller to do.
FaultAction fault_point(const char* point);
#else
inline FaultAction fault_point(const char* /*point*/) {
  return FaultAction::kNone;
}
#endif

/// kInternal when the point is armed with `error`.
inline Status fault_status(const char* point) {
  if (fault_point(point) == FaultAction::kError) {
    return internal_error(std::string("fault point ") + point);
  }
  return Status::ok();
}

}  // namespace baton
