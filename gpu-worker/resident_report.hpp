#pragma once

#include "shared/contract/messages.pb.h"
#include "shared/groth16/prover_backend.hpp"

namespace baton {

/// Adds what the backend holds to `message.keys`, for `status` and for the scheduler.
template <class Message>
void report_resident_keys(const ProverBackend& backend, Message& message) {
  for (const ResidentKey& key : backend.resident_keys()) {
    wire::LoadedKey* loaded = message.add_keys();
    loaded->set_circuit(static_cast<std::uint32_t>(key.id));
    loaded->set_bytes(key.bytes);
  }
}

}  // namespace baton
