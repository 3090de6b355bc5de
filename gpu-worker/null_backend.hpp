#pragma once

#include <set>
#include <shared_mutex>

#include "shared/groth16/prover_backend.hpp"

namespace baton {

/// Reads nothing and answers at once with sums of no meaning: what is left is the cost of the hand-over.
/// For benchmarks only.
class NullBackend final : public ProverBackend {
 public:
  [[nodiscard]] std::string description() const override { return "null"; }
  [[nodiscard]] unsigned lanes() const noexcept override { return 3; }
  Result<std::unique_ptr<RegisteredRange>> register_range(std::span<const std::byte> range) override;
  Status load_key(KeyId id, const ProvingKeyView& key) override;
  [[nodiscard]] bool has_key(KeyId id) const override;
  void drop_key(KeyId id) override;
  [[nodiscard]] std::vector<ResidentKey> resident_keys() const override;
  Result<ProofSums> prove(unsigned lane, KeyId id, const ProofInput& input,
                          const std::function<void()>& on_uploaded, ProofTimings& timings) override;

 private:
  mutable std::shared_mutex mutex_;
  std::set<KeyId> keys_;  // guarded by mutex_
};

}  // namespace baton
