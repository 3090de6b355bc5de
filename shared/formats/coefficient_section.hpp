#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "shared/math/curve_id.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// One entry of matrix A (0) or B (1): value at (row, signal). The 32 bytes are the value times R^2 mod r,
/// little-endian: one Montgomery product with a canonical witness value gives the Montgomery form of the
/// product.
struct CoefficientRecord {
  std::uint32_t matrix = 0;
  std::uint32_t row = 0;
  std::uint32_t signal = 0;
  std::span<const std::byte, 32> value;
};

/// The records of section 4 of a .zkey, in the order of the file, which carries no meaning. A view: the bytes
/// belong to the file image.
class CoefficientSection {
 public:
  static constexpr std::size_t kRecordBytes = 44;

  CoefficientSection() noexcept = default;
  explicit CoefficientSection(std::span<const std::byte> records) noexcept : records_(records) {}

  [[nodiscard]] std::size_t size() const noexcept { return records_.size() / kRecordBytes; }

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return records_; }

  [[nodiscard]] CoefficientRecord operator[](std::size_t index) const noexcept {
    const std::span<const std::byte, kRecordBytes> record(records_.data() + index * kRecordBytes,
                                                          kRecordBytes);
    std::uint32_t words[3];
    std::memcpy(words, record.data(), sizeof words);
    return {words[0], words[1], words[2], record.subspan<12, 32>()};
  }

 private:
  std::span<const std::byte> records_;
};

/// Checks every record in parallel: matrix 0 or 1, row inside the domain, signal a wire, value below r; and
/// that the domain is the smallest one that holds the rows in use. Names the first bad record.
[[nodiscard]] Status check_coefficients(const CoefficientSection& section, CurveId curve,
                                        std::uint32_t n_vars, std::uint32_t domain_size);

}  // namespace baton
