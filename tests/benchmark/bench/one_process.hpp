#pragma once

#include <vector>

#include "tests/benchmark/bench/claim.hpp"
#include "tests/benchmark/bench/recorded_slot.hpp"

namespace baton::bench {

/// How the one process gets the memory of a job's input.
enum class BufferSource {
  kHeap,  ///< allocated for each job, copied by the driver from pageable memory, freed and trimmed
  kPool,  ///< taken from registered buffers that are given back
};

struct OneProcessFigures {
  std::size_t jobs = 0;
  double wall_ms = 0;
  std::vector<ProofTimings> timings;
  std::vector<double> held_ms;  ///< the GPU's lock, by each proof
  double finisher_held_ms = 0;  ///< the same lock, by the thread that gives memory back, all jobs
  std::size_t wrong = 0;        ///< sums that are not those of the first proof
};

/// A small model of a prover in one process: threads that make jobs (here they copy a recorded slot, which is
/// less work than synthesis), threads that prove under a lock, and one that gives memory back under the same
/// lock.
Result<OneProcessFigures> run_one_process(const ClaimLoad& load, BufferSource source);

}  // namespace baton::bench
