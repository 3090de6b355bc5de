#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shared/groth16/prover_backend.hpp"

namespace baton {

struct CpuBackendOptions {
  unsigned threads = 0;                ///< 0: one for each processor that this process may use
  std::uint64_t key_budget_bytes = 0;  ///< idle keys are dropped to stay below this; 0: no bound
};

/// Proves on the CPU with oneTBB. Two lanes: while one proof computes, with all threads, the input of the
/// other may be copied. All methods may be called from any thread; each lane from one at a time. Work memory
/// grows to the largest proof and is kept: about 96 bytes x domain + 32 x wires for each lane that was used,
/// 64 x domain for roots of unity, 8 x wires and a sixteenth of the points for each of at most four
/// multiplications windows in progress.
class CpuBackend final : public ProverBackend {
 public:
  explicit CpuBackend(const CpuBackendOptions& options);
  ~CpuBackend() override;

  [[nodiscard]] std::string description() const override;
  [[nodiscard]] unsigned lanes() const noexcept override;

  /// Nothing to do: any memory is as good as any other here.
  Result<std::unique_ptr<RegisteredRange>> register_range(std::span<const std::byte> range) override;

  Status load_key(KeyId id, const ProvingKeyView& key) override;
  Status take_key(KeyId id, const ProvingKeyView& key, const DoneWith& done) override;
  [[nodiscard]] bool has_key(KeyId id) const override;

  /// A key in use goes when its last proof is done.
  void drop_key(KeyId id) override;
  [[nodiscard]] std::vector<ResidentKey> resident_keys() const override;

  Result<ProofSums> prove(unsigned lane, KeyId id, const ProofInput& input,
                          const std::function<void()>& on_uploaded, ProofTimings& timings) override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace baton
