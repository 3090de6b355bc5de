#pragma once

#include <cstddef>
#include <string>

#include "tests/benchmark/bench/service.hpp"

namespace baton::bench {

struct ClaimLoad {
  ServiceLoad service;  ///< also says how many threads make jobs in the one-process arms
  std::string slot;     ///< a recorded slot of the same key
  std::size_t jobs = 200;
  unsigned storm = 8;  ///< threads of the allocation storm
};

/// Proves recorded slots in this process, from registered buffers that nobody refills: the prover without
/// synthesis and without a service.
int replay_command(const ClaimLoad& load, unsigned lanes);

/// The same jobs in three ways beside the same allocation storm, one table: one process with heap buffers,
/// the same with a pool of registered buffers, and Baton.
int claim_command(const ClaimLoad& load);

/// One of the first two, in this process; prints a row of the table.
int claim_arm_command(const ClaimLoad& load, bool pool);

}  // namespace baton::bench
