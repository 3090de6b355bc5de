#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "shared/formats/byte_source.hpp"
#include "shared/formats/prime_field.hpp"
#include "shared/math/curve_id.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// A .wtns (version 2) whose container and header have been checked; the values are still in the file. The
/// file is read with pread only, so one that is cut short meanwhile is an error. Messages begin with its
/// name.
class WitnessFile {
 public:
  [[nodiscard]] static Result<WitnessFile> open(const std::string& path);
  [[nodiscard]] static Result<WitnessFile> from_source(std::unique_ptr<ByteSource> source);

  [[nodiscard]] CurveId curve() const noexcept { return curve_; }

  /// Values, the constant one included.
  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }

  /// Ok when the witness is one for a circuit of `n_vars` wires over `curve`.
  [[nodiscard]] Status check_fits(CurveId curve, std::uint32_t n_vars) const;

  /// Fills `out` (count() * kScalarBytes) with the canonical little-endian values, in parallel, and checks
  /// what has arrived there: value 0 is one, and each is below r. On failure `out` holds anything.
  [[nodiscard]] Status read_values(std::span<std::byte> out) const;

 private:
  WitnessFile(std::unique_ptr<ByteSource> source, CurveId curve, std::uint32_t count,
              std::uint64_t values_offset) noexcept;

  std::unique_ptr<ByteSource> source_;
  CurveId curve_;
  std::uint32_t count_;
  std::uint64_t values_offset_;
};

}  // namespace baton
