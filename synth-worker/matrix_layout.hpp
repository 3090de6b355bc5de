#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace baton {

/// The file of compiled constraints: this header in a page of its own, then page-aligned ranges in any order,
/// zeros between them. Little-endian. Any change of meaning moves kMatrixVersion.
inline constexpr std::array<char, 8> kMatrixMagic = {'B', 'A', 'T', 'O', 'N', 'M', 'T', 'X'};
inline constexpr std::uint32_t kMatrixVersion = 1;
inline constexpr std::size_t kMatrixPage = 4096;

struct MatrixRange {
  std::uint64_t row_starts_offset = 0;  ///< rows + 1 of u32
  std::uint64_t terms_offset = 0;
  std::uint64_t terms = 0;  ///< of { u32 column, u32 coefficient }
};

struct MatrixFileHeader {
  std::array<char, 8> magic{};
  std::uint32_t version = 0;
  std::uint32_t curve = 0;
  std::uint64_t fingerprint_low = 0;
  std::uint64_t fingerprint_high = 0;
  std::uint32_t n_vars = 0;
  std::uint32_t n_public = 0;
  std::uint32_t domain_size = 0;
  std::uint32_t rows = 0;
  std::uint32_t has_c = 0;
  std::uint32_t coefficients = 0;  ///< distinct ones
  std::uint64_t coefficients_offset = 0;
  std::uint64_t file_bytes = 0;
  std::array<MatrixRange, 3> matrices{};  ///< A, B, C
  std::uint64_t body_hash = 0;            ///< XXH3-64 of all that follows the first page
  std::uint64_t header_hash = 0;          ///< XXH3-64 of this header up to here
};
static_assert(std::is_trivially_copyable_v<MatrixFileHeader> && sizeof(MatrixFileHeader) == 160);
static_assert(offsetof(MatrixFileHeader, matrices) == 72 && offsetof(MatrixFileHeader, header_hash) == 152);

/// Sets both hashes of a whole file in memory.
void seal_matrix_file(std::span<std::byte> file);

}  // namespace baton
