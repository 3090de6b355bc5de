#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <string>

#include "cuda/prover/lane.hpp"
#include "shared/groth16/prover_backend.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// A proving key in device memory with everything that is planned for it: tables of the fixed points, the
/// domain of the transforms, and the sizes of a proof's work memory. First planned (nothing is on the device
/// yet), then loaded, then read by any number of lanes at once.
class DeviceKey {
 public:
  virtual ~DeviceKey() = default;

  /// Device memory of the loaded key; exact when no point is infinity, else an upper bound until loaded.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  /// Device memory that load() needs beside that for a while.
  [[nodiscard]] virtual std::size_t load_scratch_bytes() const = 0;
  /// Work memory of one proof.
  [[nodiscard]] virtual std::size_t lane_bytes() const = 0;
  /// Windows and tables, for people.
  [[nodiscard]] virtual std::string plan_text() const = 0;

  /// Fills the tables; the key's host bytes are not needed afterwards. Waits for `stream`.
  virtual Status load(const ProvingKeyView& key, Uploader& uploader, cudaStream_t stream) = 0;

  /// kInvalidInput when the sections of `input` have not the sizes of this key.
  [[nodiscard]] virtual Status check(const ProofInput& input) const = 0;
  /// Enqueues the copies of `input` into the lane's memory, up to its event `uploaded`.
  virtual Status upload(const ProofInput& input, Lane& lane) const = 0;
  /// Enqueues all computation, up to the event `done`, and takes c = a o b when `derive_c`.
  virtual Status compute(bool derive_c, Lane& lane) const = 0;
  /// The sums, once `done` has been reached.
  virtual Result<ProofSums> result(const Lane& lane) const = 0;
};

/// Plans a key with at most `table_bytes` of tables (at least one table a base is always planned). The
/// counts and sizes of `key` must be consistent (check_key_view).
Result<std::unique_ptr<DeviceKey>> plan_device_key(const ProvingKeyView& key, std::size_t table_bytes);

/// kInvalidInput when counts and section sizes of a key do not fit together, or the domain is not one.
Status check_key_view(const ProvingKeyView& key);

/// One curve of plan_device_key.
template <class Curve>
Result<std::unique_ptr<DeviceKey>> plan_device_key_of(const ProvingKeyView& key, std::size_t table_bytes);

}  // namespace baton
