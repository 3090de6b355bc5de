#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shared/support/result.hpp"

namespace baton {

/// Values are part of the wire contract and of file caches: never renumber.
enum class CurveId : std::uint8_t { kBn254 = 1, kBls12_381 = 2 };

/// An affine point as .zkey files hold it: coordinates little-endian Montgomery, no flag bits, infinity all
/// zero. BN254 uses the first 64 (G1) or 128 (G2) bytes, BLS12-381 all of them; the rest is zero.
using G1Bytes = std::array<std::byte, 96>;
using G2Bytes = std::array<std::byte, 192>;

/// The unblinded sums of one proof (FORMATS: mA, mB1, mB2, mC + mH). Canonical affine, so that two runs over
/// the same input give the same bytes on every backend.
struct ProofSums {
  G1Bytes a{};
  G1Bytes b1{};
  G1Bytes ch{};
  G2Bytes b2{};
  friend bool operator==(const ProofSums&, const ProofSums&) = default;
};

/// A proving key in host memory; every span is `n * sizeof(point)` bytes as in the .zkey sections 5 to 9.
/// All counts are checked by the reader; points are on the curve. The bytes live as long as the reader's
/// image.
struct ProvingKeyView {
  CurveId curve{};
  std::uint32_t n_vars = 0;
  std::uint32_t n_public = 0;
  std::uint32_t domain_size = 0;  ///< a power of two, at least 2
  std::span<const std::byte> a;   ///< n_vars G1
  std::span<const std::byte> b1;  ///< n_vars G1
  std::span<const std::byte> b2;  ///< n_vars G2
  std::span<const std::byte> c;   ///< n_vars - n_public - 1 G1
  std::span<const std::byte> h;   ///< domain_size G1
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
  [[nodiscard]] virtual bool has_key(KeyId id) const = 0;
  virtual void drop_key(KeyId id) = 0;
  [[nodiscard]] virtual std::vector<ResidentKey> resident_keys() const = 0;

  /// Calls `on_uploaded` exactly once, from any thread, when `input` will not be read again; not at all on
  /// failure before that.
  virtual Result<ProofSums> prove(unsigned lane, KeyId id, const ProofInput& input,
                                  const std::function<void()>& on_uploaded, ProofTimings& timings) = 0;
};

}  // namespace baton
