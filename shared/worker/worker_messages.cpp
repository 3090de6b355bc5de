#include "shared/worker/worker_messages.hpp"

#include "shared/contract/codec.hpp"

namespace baton {

std::optional<Attempt> result_attempt(const wire::Envelope& envelope) {
  using Kind = wire::Envelope::BodyCase;
  switch (envelope.body_case()) {
    case Kind::kPrepared:
      return from_wire(envelope.prepared().attempt());
    case Kind::kPrepareFailed:
      return from_wire(envelope.prepare_failed().attempt());
    case Kind::kFilled:
      return from_wire(envelope.filled().attempt());
    case Kind::kFillFailed:
      return from_wire(envelope.fill_failed().attempt());
    case Kind::kProved:
      return from_wire(envelope.proved().attempt());
    case Kind::kProveFailed:
      return from_wire(envelope.prove_failed().attempt());
    default:
      return std::nullopt;
  }
}

wire::Envelope fill_failed(const Lease& lease, const Attempt& attempt, const Status& status) {
  wire::Envelope envelope;
  wire::FillFailed& failed = *envelope.mutable_fill_failed();
  to_wire(lease, failed.mutable_lease());
  to_wire(attempt, failed.mutable_attempt());
  failed.set_code(static_cast<std::uint32_t>(status.code()));
  failed.set_text(bounded_text(status.message()));
  return envelope;
}

wire::Envelope prepare_failed(const Attempt& attempt, const Status& status) {
  wire::Envelope envelope;
  wire::PrepareFailed& failed = *envelope.mutable_prepare_failed();
  to_wire(attempt, failed.mutable_attempt());
  failed.set_code(static_cast<std::uint32_t>(status.code()));
  failed.set_text(bounded_text(status.message()));
  return envelope;
}

wire::Envelope prove_failed(const Lease& lease, const Attempt& attempt, wire::ProveFailure failure,
                            const Status& status) {
  wire::Envelope envelope;
  wire::ProveFailed& failed = *envelope.mutable_prove_failed();
  to_wire(lease, failed.mutable_lease());
  to_wire(attempt, failed.mutable_attempt());
  failed.set_failure(failure);
  failed.set_code(static_cast<std::uint32_t>(status.code()));
  failed.set_text(bounded_text(status.message()));
  return envelope;
}

wire::Envelope slot_not_attached(const Lease& lease, const Attempt& attempt, WorkerRole role) {
  const Status status(StatusCode::kUnavailable,
                      "slot " + std::to_string(lease.slot) + " is not attached to this worker");
  return role == WorkerRole::kSynth ? fill_failed(lease, attempt, status)
                                    : prove_failed(lease, attempt, wire::PROVE_FAILURE_TRANSIENT, status);
}

}  // namespace baton
