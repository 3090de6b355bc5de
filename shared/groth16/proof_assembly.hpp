#pragma once

#include <array>
#include <cstddef>

#include "shared/formats/any_verification_key.hpp"
#include "shared/formats/proving_key_file.hpp"
#include "shared/groth16/prover_backend.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// The two numbers that make a proof zero-knowledge: canonical little-endian scalars below the group order.
/// Whoever knows them can learn about the witness, so they are never logged and never in shared memory.
struct Blinding {
  std::array<std::byte, 32> r{};
  std::array<std::byte, 32> s{};
};

/// Uniform in the scalar field, from the kernel's generator.
[[nodiscard]] Result<Blinding> random_blinding(CurveId curve);

/// The proof from its unblinded sums:
///   a = alpha1 + A + r delta1,  b = beta2 + B2 + s delta2,  b1 = beta1 + B1 + s delta1,
///   c = CH + s a + r b1 - r s delta1.
/// Fails when r or s is not below the group order.
[[nodiscard]] Result<AnyProof> assemble_proof(const ProvingKeyHeader& key, const ProofSums& sums,
                                              const Blinding& blinding);

}  // namespace baton
