#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <variant>
#include <vector>

#include "shared/contract/lease.hpp"
#include "shared/contract/messages.pb.h"
#include "shared/formats/proving_key_file.hpp"
#include "shared/groth16/prover_backend.hpp"
#include "shared/groth16/verify.hpp"
#include "shared/support/result.hpp"

namespace baton {

using AnyVerifier = std::variant<Verifier<Bn254>, Verifier<Bls12_381>>;

/// What the host keeps of a circuit's key: enough to assemble proofs and to verify them. Immutable.
struct CircuitKey {
  FileIdentity identity;
  ProvingKeyHeader header;
  AnyVerifier verifier;
};

/// The keys of this process' circuits: their points in the backend, which may evict them, the rest here. Safe
/// to use from many threads; a key is loaded by one of them while the others wait.
class KeyStore {
 public:
  explicit KeyStore(ProverBackend& backend) noexcept : backend_(backend) {}

  /// Makes the circuit's key resident, checking every point of a key that is read for the first time or
  /// anew. The result stays valid as long as the store. kVersionMismatch when the file is not the one that
  /// was prepared; kNoSpace when it does not fit.
  Result<const CircuitKey*> ensure(const wire::Circuit& circuit);

  /// Lets the backend drop the key; proofs under way finish.
  void unload(CircuitId circuit);

  /// Bytes that the backend holds for the circuit; zero when it is not resident.
  [[nodiscard]] std::uint64_t resident_bytes(CircuitId circuit) const;

 private:
  const CircuitKey* find_resident(const wire::Circuit& circuit) const;
  Result<std::unique_ptr<CircuitKey>> load(const wire::Circuit& circuit);

  ProverBackend& backend_;
  std::mutex loading_;        ///< held by the one thread that loads
  mutable std::mutex mutex_;  ///< guards the maps; never held while loading
  std::map<CircuitId, std::unique_ptr<CircuitKey>> keys_;
  std::vector<std::unique_ptr<CircuitKey>> replaced_;  ///< of files that changed; somebody may still use them
};

}  // namespace baton
