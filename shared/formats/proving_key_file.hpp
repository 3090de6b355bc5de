#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "shared/formats/any_verification_key.hpp"
#include "shared/formats/coefficient_section.hpp"
#include "shared/formats/file_image.hpp"
#include "shared/formats/proving_key_view.hpp"
#include "shared/formats/section_file.hpp"
#include "shared/math/curve_id.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// Counts and points of a Groth16 .zkey header (section 2). Points are as the file holds them.
struct ProvingKeyHeader {
  CurveId curve{};
  std::uint32_t n_vars = 0;  ///< wires, the constant one included
  std::uint32_t n_public = 0;
  std::uint32_t domain_size = 0;
  G1Bytes alpha1{};
  G1Bytes beta1{};
  G1Bytes delta1{};
  G2Bytes beta2{};
  G2Bytes gamma2{};
  G2Bytes delta2{};
};

/// A Groth16 .zkey whose container, header, section lengths, header points and IC points have been checked.
/// The coefficients and the points of sections 5 to 9 are not looked at: see check_coefficients and the key
/// check of the prover. Immutable, so safe to read from many threads; spans live as long as the object.
class ProvingKeyFile {
 public:
  /// Messages begin with `path`.
  [[nodiscard]] static Result<ProvingKeyFile> open(const std::string& path, FileAccess access);
  [[nodiscard]] static Result<ProvingKeyFile> from_image(FileImage image);

  [[nodiscard]] const std::string& name() const noexcept { return image_.name(); }
  [[nodiscard]] const FileIdentity& identity() const noexcept { return image_.identity(); }
  [[nodiscard]] const ProvingKeyHeader& header() const noexcept { return header_; }
  [[nodiscard]] const ProvingKeyView& view() const noexcept { return view_; }

  /// Section 3: n_public + 1 G1 points, Montgomery, on the curve.
  [[nodiscard]] std::span<const std::byte> ic() const noexcept { return ic_; }

  /// Section 4: the matrices A and B.
  [[nodiscard]] const CoefficientSection& coefficients() const noexcept { return coefficients_; }

  /// Contributions to the ceremony; none where the file has no section 10.
  [[nodiscard]] std::optional<std::uint32_t> contributions() const noexcept { return contributions_; }

  /// True when delta is known to all (no contribution was made): anybody can forge proofs for this key.
  [[nodiscard]] bool is_forgeable() const noexcept { return forgeable_; }

  /// See FileImage::discard: spans over `range` are of no use afterwards.
  void discard(std::span<const std::byte> range) noexcept { image_.discard(range); }

  /// A copy of the points that a verifier needs.
  [[nodiscard]] AnyVerificationKey verification_key() const;

 private:
  explicit ProvingKeyFile(FileImage image) noexcept : image_(std::move(image)) {}
  [[nodiscard]] Status read_header_section(const SectionFile& sections);
  [[nodiscard]] Status read_point_sections(const SectionFile& sections);
  [[nodiscard]] Status read_other_sections(const SectionFile& sections);
  [[nodiscard]] Status check_points() const;

  FileImage image_;
  ProvingKeyHeader header_;
  ProvingKeyView view_;
  std::span<const std::byte> ic_;
  CoefficientSection coefficients_;
  std::optional<std::uint32_t> contributions_;
  bool forgeable_ = false;
};

}  // namespace baton
