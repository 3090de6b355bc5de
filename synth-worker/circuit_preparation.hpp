#pragma once

#include <string>

#include "shared/contract/messages.pb.h"
#include "shared/support/result.hpp"
#include "synth-worker/constraint_matrix.hpp"

namespace baton {

/// A circuit whose key was checked, and its constraints.
struct PreparedCircuit {
  wire::Circuit circuit;  ///< every field set
  ConstraintMatrix matrix;
  double check_ms = 0;
  double compile_ms = 0;
};

/// Checks the key's container (with `full_check` also that every point lies in its group) and compiles its
/// constraints into `cache_directory`, or maps them from there when the same files were compiled before.
/// Failure names the file and what is wrong with it.
Result<PreparedCircuit> prepare_circuit(const wire::Circuit& request, bool full_check,
                                        const std::string& cache_directory);

/// kVersionMismatch when the key's file is not the one that was prepared. One that is gone is no matter here:
/// whoever has loaded it goes on.
Status check_key_unchanged(const wire::Circuit& circuit);

/// Maps the constraints of a circuit that was prepared by any worker; kNotFound, kCorrupt or
/// kVersionMismatch when it must be prepared again.
Result<ConstraintMatrix> map_prepared_circuit(const wire::Circuit& circuit);

}  // namespace baton
