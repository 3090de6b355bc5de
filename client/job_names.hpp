#pragma once

#include "shared/contract/messages.pb.h"

namespace baton {

/// What people read: "queued", "filling", ...
[[nodiscard]] constexpr const char* job_state_name(wire::JobState state) noexcept {
  switch (state) {
    case wire::JOB_QUEUED:
      return "queued";
    case wire::JOB_PREPARING:
      return "preparing";
    case wire::JOB_FILLING:
      return "filling";
    case wire::JOB_FILLED:
      return "filled";
    case wire::JOB_PROVING:
      return "proving";
    case wire::JOB_DONE:
      return "done";
    case wire::JOB_FAILED:
      return "failed";
    case wire::JOB_CANCELLED:
      return "cancelled";
    default:
      return "unknown";
  }
}

[[nodiscard]] constexpr const char* circuit_state_name(wire::CircuitState state) noexcept {
  switch (state) {
    case wire::CIRCUIT_PREPARING:
      return "preparing";
    case wire::CIRCUIT_READY:
      return "ready";
    case wire::CIRCUIT_FAILED:
      return "failed";
    default:
      return "unknown";
  }
}

}  // namespace baton
