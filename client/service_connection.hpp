#pragma once

#include "client/command_line.hpp"
#include "client/coordinator_client.hpp"

namespace baton {

/// A client of the running service; kUnavailable when there is none.
Result<CoordinatorClient> connect_to_service(const ServiceOptions& options);

/// How long commands wait for an answer that needs no work.
[[nodiscard]] std::optional<Instant> answer_deadline();

}  // namespace baton
