#include "gpu-worker/null_backend.hpp"

#include <mutex>

namespace baton {

Result<std::unique_ptr<RegisteredRange>> NullBackend::register_range(std::span<const std::byte> /*range*/) {
  return std::make_unique<RegisteredRange>();
}

Status NullBackend::load_key(KeyId id, const ProvingKeyView& /*key*/) {
  const std::unique_lock lock(mutex_);
  keys_.insert(id);
  return Status::ok();
}

bool NullBackend::has_key(KeyId id) const {
  const std::shared_lock lock(mutex_);
  return keys_.count(id) != 0;
}

void NullBackend::drop_key(KeyId id) {
  const std::unique_lock lock(mutex_);
  keys_.erase(id);
}

std::vector<ResidentKey> NullBackend::resident_keys() const {
  const std::shared_lock lock(mutex_);
  std::vector<ResidentKey> keys;
  for (const KeyId id : keys_) {
    keys.push_back({id, 0, false});
  }
  return keys;
}

Result<ProofSums> NullBackend::prove(unsigned /*lane*/, KeyId /*id*/, const ProofInput& /*input*/,
                                     const std::function<void()>& on_uploaded, ProofTimings& /*timings*/) {
  on_uploaded();
  return ProofSums{};
}

}  // namespace baton
