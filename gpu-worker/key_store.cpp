#include "gpu-worker/key_store.hpp"

#include <string>

#include "shared/groth16/key_check.hpp"

namespace baton {

namespace {

/// The identity that PREPARE found; nothing before that, when any file will do.
bool matches(const wire::Circuit& circuit, const FileIdentity& identity) {
  if (!circuit.has_key()) {
    return true;
  }
  const wire::FileIdentity& key = circuit.key();
  return identity == FileIdentity{key.device(), key.inode(), key.size(), key.mtime_ns()};
}

Result<AnyVerifier> make_verifier(const AnyVerificationKey& key) {
  return std::visit(
      [](const auto& vk) -> Result<AnyVerifier> {
        using Key = std::decay_t<decltype(vk)>;
        using Curve = std::conditional_t<std::is_same_v<Key, VerificationKey<Bn254>>, Bn254, Bls12_381>;
        BATON_ASSIGN_OR_RETURN(Verifier<Curve> verifier, Verifier<Curve>::create(vk));
        return AnyVerifier(std::move(verifier));
      },
      key);
}

}  // namespace

const CircuitKey* KeyStore::find_resident(const wire::Circuit& circuit) const {
  const std::lock_guard lock(mutex_);
  const auto found = keys_.find(circuit.id());
  const bool usable =
      found != keys_.end() && matches(circuit, found->second->identity) && backend_.has_key(circuit.id());
  return usable ? found->second.get() : nullptr;
}

Result<const CircuitKey*> KeyStore::ensure(const wire::Circuit& circuit) {
  if (const CircuitKey* key = find_resident(circuit)) {
    return key;
  }
  const std::lock_guard loading(loading_);
  if (const CircuitKey* key = find_resident(circuit)) {
    return key;
  }
  BATON_ASSIGN_OR_RETURN(std::unique_ptr<CircuitKey> loaded, load(circuit));
  const std::lock_guard lock(mutex_);
  std::unique_ptr<CircuitKey>& entry = keys_[circuit.id()];
  if (entry) {
    replaced_.push_back(std::move(entry));
  }
  entry = std::move(loaded);
  return entry.get();
}

Result<std::unique_ptr<CircuitKey>> KeyStore::load(const wire::Circuit& circuit) {
  const std::string& path = circuit.source().key_path();
  BATON_ASSIGN_OR_RETURN(ProvingKeyFile file, ProvingKeyFile::open(path, FileAccess::kRead));
  if (!matches(circuit, file.identity())) {
    return Status(StatusCode::kVersionMismatch, path + ": has changed since the circuit was prepared");
  }
  BATON_RETURN_IF_ERROR(check_key_points(file.view(), PointCheck::kCurve).with_context(path));
  BATON_ASSIGN_OR_RETURN(AnyVerifier verifier, make_verifier(file.verification_key()));
  backend_.drop_key(circuit.id());
  const ProvingKeyHeader header = file.header();
  file.discard(file.coefficients().bytes());
  BATON_RETURN_IF_ERROR(backend_
                            .take_key(circuit.id(), file.view(),
                                      [&file](std::span<const std::byte> range) { file.discard(range); })
                            .with_context(path));
  return std::make_unique<CircuitKey>(CircuitKey{file.identity(), header, std::move(verifier)});
}

void KeyStore::unload(CircuitId circuit) {
  backend_.drop_key(circuit);
}

std::uint64_t KeyStore::resident_bytes(CircuitId circuit) const {
  for (const ResidentKey& key : backend_.resident_keys()) {
    if (key.id == circuit) {
      return key.bytes;
    }
  }
  return 0;
}

}  // namespace baton
