#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shared/formats/file_image.hpp"
#include "shared/formats/proving_key_file.hpp"
#include "shared/formats/r1cs_file.hpp"
#include "shared/math/curve_id.hpp"
#include "shared/support/hash.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// One entry of a sparse row: which wire, and which value of the coefficient table.
struct MatrixTerm {
  std::uint32_t column = 0;
  std::uint32_t coefficient = 0;
};

/// Indices that the coefficient table always has.
inline constexpr std::uint32_t kCoefficientOne = 0;
inline constexpr std::uint32_t kCoefficientMinusOne = 1;

/// One matrix by rows: the terms of row i are terms[row_starts[i] .. row_starts[i + 1]). Within a row those
/// of coefficient one come first, then those of minus one, then the others, each by rising column.
struct MatrixRows {
  std::span<const std::uint32_t> row_starts;  ///< rows + 1 of them
  std::span<const MatrixTerm> terms;
};

enum class MatrixId : std::uint8_t { kA = 0, kB = 1, kC = 2 };

/// The constraints of one circuit in the form that evaluation wants, as one position-independent range of
/// bytes: made from a key (A and B) and the circuit's .r1cs where there is one (C), kept in a file, mapped
/// again by any process. Immutable, so safe to read from many threads.
class ConstraintMatrix {
 public:
  /// Checks every coefficient of the key (see check_coefficients). With `r1cs`, which may be null, also that
  /// it is the circuit of this key: same counts, and the same A and B up to a chance of 2^-250.
  /// `fingerprint` is what `map` will ask for.
  [[nodiscard]] static Result<ConstraintMatrix> compile(const ProvingKeyFile& key, const R1csFile* r1cs,
                                                        const Digest128& fingerprint);

  /// Maps a file that `write` made. kVersionMismatch when its version or fingerprint is another, kCorrupt
  /// when anything in it is not what it must be: make it anew then.
  [[nodiscard]] static Result<ConstraintMatrix> map(const std::string& path, const Digest128& fingerprint);
  [[nodiscard]] static Result<ConstraintMatrix> from_image(FileImage image, const Digest128& fingerprint);

  /// Writes the file whole or not at all.
  [[nodiscard]] Status write(const std::string& path) const;

  [[nodiscard]] CurveId curve() const noexcept { return curve_; }
  [[nodiscard]] std::uint32_t n_vars() const noexcept { return n_vars_; }
  [[nodiscard]] std::uint32_t n_public() const noexcept { return n_public_; }
  [[nodiscard]] std::uint32_t domain_size() const noexcept { return domain_size_; }

  /// Rows in use, at most domain_size(): the constraints, then n_public() + 1 that bind the public signals.
  [[nodiscard]] std::uint32_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::uint32_t n_constraints() const noexcept { return rows_ - n_public_ - 1; }

  /// True when C is known, so that a violated constraint can be named.
  [[nodiscard]] bool has_c() const noexcept { return has_c_; }

  /// C is empty when it is not known.
  [[nodiscard]] const MatrixRows& matrix(MatrixId id) const noexcept {
    return matrices_[static_cast<std::size_t>(id)];
  }

  /// Distinct coefficients, 32 bytes each: value * R^2 mod r, little-endian.
  [[nodiscard]] std::span<const std::byte> coefficients() const noexcept { return coefficients_; }

  /// All bytes, as `write` puts them into the file.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return image_.bytes(); }

 private:
  explicit ConstraintMatrix(FileImage image) noexcept : image_(std::move(image)) {}
  [[nodiscard]] Status read(const Digest128& fingerprint);

  FileImage image_;
  CurveId curve_{};
  std::uint32_t n_vars_ = 0;
  std::uint32_t n_public_ = 0;
  std::uint32_t domain_size_ = 0;
  std::uint32_t rows_ = 0;
  bool has_c_ = false;
  std::array<MatrixRows, 3> matrices_;
  std::span<const std::byte> coefficients_;
};

}  // namespace baton
