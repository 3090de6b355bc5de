#include "synth-worker/circuit_cache.hpp"

#include <algorithm>

#include "synth-worker/circuit_preparation.hpp"

namespace baton {

Result<const ConstraintMatrix*> CircuitCache::find(const wire::Circuit& circuit,
                                                   const std::string& cache_directory) {
  BATON_RETURN_IF_ERROR(check_key_unchanged(circuit));
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.fingerprint == circuit.fingerprint();
  });
  if (found != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, found);
    return &entries_.front().matrix;
  }
  auto mapped = map_prepared_circuit(circuit);
  if (mapped.is_ok()) {
    return &insert(circuit.fingerprint(), std::move(*mapped));
  }
  BATON_ASSIGN_OR_RETURN(PreparedCircuit prepared, prepare_circuit(circuit, false, cache_directory));
  if (prepared.circuit.fingerprint() != circuit.fingerprint()) {
    return Status(StatusCode::kVersionMismatch,
                  circuit.source().key_path() + ": has changed since the circuit was prepared");
  }
  return &insert(circuit.fingerprint(), std::move(prepared.matrix));
}

const ConstraintMatrix& CircuitCache::insert(const std::string& fingerprint, ConstraintMatrix matrix) {
  entries_.push_front({fingerprint, std::move(matrix)});
  if (entries_.size() > kMaxCircuits) {
    entries_.pop_back();
  }
  return entries_.front().matrix;
}

}  // namespace baton
