#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shared/formats/proving_key_view.hpp"
#include "shared/math/curve_id.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// The unblinded sums of one proof (FORMATS: mA, mB1, mB2, mC + mH). Canonical affine, so that two runs over
/// the same input give the same bytes on every backend.
struct ProofSums {
  G1Bytes a{};
  G1Bytes b1{};
  G1Bytes ch{};
  G2Bytes b2{};
  friend bool operator==(const ProofSums&, const ProofSums&) = default;
};

/// One sealed slot. The spans are shared memory, readable until `on_uploaded` has been called.
struct ProofInput {
  std::span<const std::byte> w;  ///< n_vars canonical scalars of 32 bytes
  std::span<const std::byte> a;  ///< domain_size Montgomery scalars of 32 bytes
  std::span<const std::byte> b;
  std::span<const std::byte> c;  ///< empty: derived, c = a o b
};

/// Where the time of one proof went; milliseconds and bytes. Zero where a backend has no such stage.
struct ProofTimings {
  double wait_ms = 0;
  double copy_ms = 0;
  std::uint64_t copy_bytes = 0;
  double ntt_ms = 0;
  double msm_a_ms = 0;
  double msm_b1_ms = 0;
  double msm_b2_ms = 0;
  double msm_ch_ms = 0;
  double compute_ms = 0;  ///< from the first kernel (or the first step) to the last
};

/// Names a key inside one backend; chosen by the caller (the circuit's number in the service), never zero.
using KeyId = std::uint64_t;

/// Told that these bytes will not be read again.
using DoneWith = std::function<void(std::span<const std::byte>)>;

struct ResidentKey {
  KeyId id = 0;
  std::uint64_t bytes = 0;
  bool in_use = false;
};

/// What keeps a mapped range known to the device; destroyed before the range is unmapped.
class RegisteredRange {
 public:
  virtual ~RegisteredRange() = default;
};

/// Computes the sums of Groth16 proofs. `prove` may be called from `lanes()` threads at once, one lane each;
/// a lane blocks until its proof is done. Failure codes: kInvalidInput, kGpuTransient (this job), kGpuSticky
/// (exit now), kNoSpace (does not fit the device).
class ProverBackend {
 public:
  virtual ~ProverBackend() = default;

  [[nodiscard]] virtual std::string description() const = 0;
  [[nodiscard]] virtual unsigned lanes() const noexcept = 0;

  /// Makes `range` (page-aligned, mapped read-only) fast to read for `prove`. Optional for correctness.
  virtual Result<std::unique_ptr<RegisteredRange>> register_range(std::span<const std::byte> range) = 0;

  /// Takes the key into the backend's own memory (the view is not used afterwards), evicting idle keys if it
  /// must.
  virtual Status load_key(KeyId id, const ProvingKeyView& key) = 0;

  /// The same for a key whose bytes the caller gives up: `done` is told of each range that has been read for
  /// the last time, so that a key need not be in memory twice.
  virtual Status take_key(KeyId id, const ProvingKeyView& key, const DoneWith& done) {
    static_cast<void>(done);
    return load_key(id, key);
  }

  [[nodiscard]] virtual bool has_key(KeyId id) const = 0;
  virtual void drop_key(KeyId id) = 0;
  [[nodiscard]] virtual std::vector<ResidentKey> resident_keys() const = 0;

  /// Calls `on_uploaded` exactly once, from any thread, when `input` will not be read again; not at all on
  /// failure before that.
  virtual Result<ProofSums> prove(unsigned lane, KeyId id, const ProofInput& input,
                                  const std::function<void()>& on_uploaded, ProofTimings& timings) = 0;
};

}  // namespace baton
