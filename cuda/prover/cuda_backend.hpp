#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cuda/device/device_info.hpp"
#include "shared/groth16/prover_backend.hpp"
#include "shared/support/result.hpp"

namespace baton {

struct CudaOptions {
  std::string device;  ///< UUID ("GPU-...") or index; empty: the first one
  unsigned lanes = 2;  ///< proofs in flight, 1 to 4
  std::uint64_t vram_budget_bytes =
      0;                           ///< for keys and work memory together; 0: what is free, less a reserve
  bool stage_unregistered = true;  ///< false: the driver copies such input, slowly; for comparisons
};

/// A prover on one CUDA device: creates the context, takes its streams, and proves a small proof with a known
/// answer on both curves before it returns. All methods of the result may be called from any thread, each
/// lane from one at a time. Needs no CUDA header to be used.
///
/// Device memory is taken when a key is loaded and never while proving: tables for the key, and work memory
/// for all lanes as the largest key needs it (growing waits for the proofs in flight). A registered range
/// must stay registered while a proof reads from it.
///
/// kNotFound: no such device. kGpuSticky: the device does not compute what it must.
Result<std::unique_ptr<ProverBackend>> make_cuda_backend(const CudaOptions& options);

}  // namespace baton
