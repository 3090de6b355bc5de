#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shared/groth16/prover_backend.hpp"

namespace baton::bench {

/// The sections w, a and b of one filled slot, as a synth-worker would leave them.
struct RecordedSlot {
  std::vector<std::byte> w;
  std::vector<std::byte> a;
  std::vector<std::byte> b;

  /// Fills one from a witness file.
  static Result<RecordedSlot> record(const std::string& key, const std::string& witness);
  static Result<RecordedSlot> read(const std::string& path);
  [[nodiscard]] Status write(const std::string& path) const;

  [[nodiscard]] std::size_t bytes() const noexcept { return w.size() + a.size() + b.size(); }
  /// Copies all sections to `to` (bytes() long) and says where they lie.
  ProofInput copy_to(std::span<std::byte> to) const;
};

int record_command(const std::string& key, const std::string& witness, const std::string& file);

}  // namespace baton::bench
