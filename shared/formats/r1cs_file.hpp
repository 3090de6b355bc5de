#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "shared/formats/file_image.hpp"
#include "shared/formats/prime_field.hpp"
#include "shared/math/curve_id.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// Counts of a .r1cs header. Wires: 0 is the constant one, then the public outputs, the public inputs, the
/// private inputs, the rest. circom drops unused private inputs, so their count may exceed what is there.
struct R1csHeader {
  CurveId curve{};
  std::uint32_t n_wires = 0;
  std::uint32_t n_public_outputs = 0;
  std::uint32_t n_public_inputs = 0;
  std::uint32_t n_private_inputs = 0;
  std::uint64_t n_labels = 0;
  std::uint32_t n_constraints = 0;

  [[nodiscard]] std::uint32_t n_public() const noexcept { return n_public_outputs + n_public_inputs; }
};

struct R1csTerm {
  std::uint32_t wire = 0;
  std::span<const std::byte, kScalarBytes> coefficient;  ///< canonical, little-endian, below r
};

/// A sum of coefficient times wire; a view into the file.
class LinearCombination {
 public:
  static constexpr std::size_t kTermBytes = 4 + kScalarBytes;

  LinearCombination() noexcept = default;
  explicit LinearCombination(std::span<const std::byte> terms) noexcept : terms_(terms) {}

  [[nodiscard]] std::size_t size() const noexcept { return terms_.size() / kTermBytes; }

  [[nodiscard]] R1csTerm operator[](std::size_t index) const noexcept {
    const std::span<const std::byte, kTermBytes> term(terms_.data() + index * kTermBytes, kTermBytes);
    std::uint32_t wire = 0;
    std::memcpy(&wire, term.data(), sizeof wire);
    return {wire, term.subspan<4, kScalarBytes>()};
  }

 private:
  std::span<const std::byte> terms_;
};

/// a * b - c = 0 for every witness.
struct Constraint {
  LinearCombination a;
  LinearCombination b;
  LinearCombination c;
};

/// A .r1cs (version 1) over one of the two curves whose container and header have been checked. One with
/// custom gates is refused: they are no part of the constraints, so a proof would not cover them. Immutable;
/// views live as long as the object. Messages begin with the name of the file.
class R1csFile {
 public:
  [[nodiscard]] static Result<R1csFile> open(const std::string& path, FileAccess access);
  [[nodiscard]] static Result<R1csFile> from_image(FileImage image);

  [[nodiscard]] const std::string& name() const noexcept { return image_.name(); }
  [[nodiscard]] const FileIdentity& identity() const noexcept { return image_.identity(); }
  [[nodiscard]] const R1csHeader& header() const noexcept { return header_; }

  /// Goes through the constraints in the order of the file, checking each (its bytes, wires and
  /// coefficients) as it is reached. Several cursors may be used at once.
  class Cursor {
   public:
    explicit Cursor(const R1csFile& file) noexcept : file_(&file), left_(file.constraints_) {}

    /// True with the next constraint in `constraint`; false after the last, which must end the section.
    [[nodiscard]] Result<bool> next(Constraint& constraint);

    /// Index of the constraint that next() will give, counted from 0.
    [[nodiscard]] std::uint32_t index() const noexcept { return index_; }

   private:
    [[nodiscard]] Status take(const char* side, LinearCombination& combination);
    [[nodiscard]] Status fail(const std::string& what) const;

    const R1csFile* file_;
    std::span<const std::byte> left_;
    std::uint32_t index_ = 0;
  };

 private:
  explicit R1csFile(FileImage image) noexcept : image_(std::move(image)) {}
  [[nodiscard]] Status read();

  FileImage image_;
  R1csHeader header_;
  std::span<const std::byte> constraints_;
};

}  // namespace baton
