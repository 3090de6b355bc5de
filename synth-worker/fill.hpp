#pragma once

#include <cstdint>
#include <memory>

#include "shared/contract/messages.pb.h"
#include "shared/segments/slot_writer.hpp"
#include "shared/support/clock.hpp"
#include "shared/support/result.hpp"
#include "synth-worker/constraint_matrix.hpp"

namespace baton {

struct FillResult {
  Digest input_digest{};
  wire::FillTimings timings;
};

/// Carries out one FILL: the witness (from its file, or from the circuit's witness program) into w, the
/// products of the constraints into a, b and, where C is known, c, then the seal. Called under the lease;
/// whatever fails or dies on the way leaves a slot that nobody accepts. `cancel_fd` becomes readable when the
/// attempt is not wanted any more; `guard` is for witness programs. kInvalidInput, kUnsatisfied: the job's
/// fault; kCancelled, kDeadline.
Result<FillResult> fill_slot(const wire::Fill& fill, const ConstraintMatrix& matrix,
                             std::span<std::byte> segment, const SlotIdentity& identity, Instant received,
                             int cancel_fd, const std::string& guard);

}  // namespace baton
