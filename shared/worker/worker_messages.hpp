#pragma once

#include <optional>

#include "shared/contract/lease.hpp"
#include "shared/contract/messages.pb.h"
#include "shared/support/status.hpp"

/// The replies that both roles make in the same way.
namespace baton {

/// The attempt of a message that ends one (PREPARED, FILLED, PROVED and their failures); nothing for others.
[[nodiscard]] std::optional<Attempt> result_attempt(const wire::Envelope& envelope);

[[nodiscard]] wire::Envelope fill_failed(const Lease& lease, const Attempt& attempt, const Status& status);
[[nodiscard]] wire::Envelope prepare_failed(const Attempt& attempt, const Status& status);
[[nodiscard]] wire::Envelope prove_failed(const Lease& lease, const Attempt& attempt,
                                          wire::ProveFailure failure, const Status& status);

/// The answer to a grant whose slot this worker has not mapped.
[[nodiscard]] wire::Envelope slot_not_attached(const Lease& lease, const Attempt& attempt, WorkerRole role);

}  // namespace baton
