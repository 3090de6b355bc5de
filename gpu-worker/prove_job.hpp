#pragma once

#include <functional>
#include <optional>

#include "gpu-worker/key_store.hpp"
#include "shared/contract/ledger.hpp"
#include "shared/groth16/proof_assembly.hpp"
#include "shared/segments/slot_reader.hpp"
#include "shared/worker/worker_role.hpp"

namespace baton {

/// What every lane uses.
struct ProveContext {
  ProverBackend& backend;
  KeyStore& keys;
  std::optional<Blinding> fixed_blinding;  ///< for tests only
  bool check_proofs = true;                ///< false for the null backend, whose sums are no proof
};

/// The answer to one PROVE: PROVED or PROVE_FAILED. `sticky`: the process must end after it.
struct ProveOutcome {
  wire::Envelope answer;
  bool sticky = false;
};

/// Carries out one PROVE on `lane`: reads the slot, computes, assembles with fresh r and s and verifies the
/// proof by pairing; nobody sees one that does not verify. `uploaded` is called once when the slot's bytes
/// are not needed any more (later they are looked at again only if the ledger says that nobody was given
/// them). A proof that fails its check is computed once more from the slot: equal sums over intact bytes mean
/// that the witness does not satisfy the circuit, different sums that the device is at fault.
ProveOutcome prove_job(const ProveContext& context, unsigned lane, const wire::Prove& request,
                       const AttachedSlot& slot, const Ledger& ledger, const std::function<void()>& uploaded);

}  // namespace baton
