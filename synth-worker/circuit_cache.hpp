#pragma once

#include <cstdint>
#include <list>
#include <string>

#include "shared/contract/messages.pb.h"
#include "shared/support/result.hpp"
#include "synth-worker/constraint_matrix.hpp"

namespace baton {

/// The constraints of the circuits used last, mapped. Used by one thread.
class CircuitCache {
 public:
  /// Mappings cost address space, and memory only while somebody reads them.
  static constexpr std::size_t kMaxCircuits = 64;

  /// The circuit's constraints, mapped from its cache file when they are not here, or compiled once more when
  /// that file is gone or damaged. Valid until the next call.
  Result<const ConstraintMatrix*> find(const wire::Circuit& circuit, const std::string& cache_directory);

  /// Keeps what was just prepared.
  const ConstraintMatrix& insert(const std::string& fingerprint, ConstraintMatrix matrix);

 private:
  struct Entry {
    std::string fingerprint;
    ConstraintMatrix matrix;
  };
  std::list<Entry> entries_;  ///< the last used first
};

}  // namespace baton
