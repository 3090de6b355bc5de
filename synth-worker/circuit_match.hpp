#pragma once

#include <cstddef>
#include <cstdint>

#include "shared/formats/proving_key_file.hpp"
#include "shared/formats/r1cs_file.hpp"
#include "shared/support/result.hpp"
#include "synth-worker/constraint_matrix.hpp"

namespace baton {

/// Ok when curve, wires, public signals and constraints of the circuit are those of the key, of which `rows`
/// rows are in use.
[[nodiscard]] Status check_same_counts(const R1csFile& r1cs, const ProvingKeyFile& key, std::size_t rows);

/// Ok when A and B of the circuit are those of the key, as far as their products with one pseudo-random
/// vector, chosen by the random `seed`, can tell. Names the first constraint that differs.
[[nodiscard]] Status check_same_circuit(const R1csFile& r1cs, const ConstraintMatrix& matrix,
                                        std::uint64_t seed);

}  // namespace baton
