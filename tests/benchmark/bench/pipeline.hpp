#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/benchmark/bench/service.hpp"

namespace baton::bench {

/// What a run of equal jobs through the real processes took. Milliseconds unless said.
struct PipelineFigures {
  std::size_t jobs = 0;
  double ms_per_proof = 0;  ///< between the first and the last end
  double kernels_busy = 0;  ///< percent of that time, from the CUDA events of each proof
  std::optional<double> nvml_busy;
  double copy_gb_per_s = 0;
  double copy_bytes = 0;          ///< of a job
  std::vector<double> compute;    ///< first kernel to last, of each job
  std::vector<double> stage;      ///< copy, and first kernel to last, of each job
  std::vector<double> fill_read;  ///< the witness from its file, and its check
  std::vector<double> fill_evaluate;
  std::vector<double> fill_seal;  ///< checksums
  double verify_median = 0;
  std::string worker_memory;  ///< of the gpu-worker at the end
};

/// Starts the service, proves a few jobs to warm up, then `jobs` at once.
Result<PipelineFigures> run_pipeline(const ServiceLoad& load, std::size_t jobs);

/// "peak 1234 MiB (567 MiB of it slots)" of a process.
std::string memory_of(int pid);

int pipeline_command(const ServiceLoad& load, std::size_t jobs);
int restart_command(const ServiceLoad& load);

}  // namespace baton::bench
