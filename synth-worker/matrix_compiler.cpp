#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

#include "shared/formats/prime_field.hpp"
#include "shared/math/fp.hpp"
#include "shared/support/concat.hpp"
#include "shared/support/secure_random.hpp"
#include "synth-worker/circuit_match.hpp"
#include "synth-worker/coefficient_table.hpp"
#include "synth-worker/constraint_matrix.hpp"
#include "synth-worker/matrix_layout.hpp"

namespace baton {

namespace {

constexpr std::size_t kRowGrain = 1024;

struct RowsBuilder {
  std::vector<std::uint32_t> row_starts;
  std::vector<MatrixTerm> terms;
};

/// Turns counts per row (at index row + 1) into starts, and makes room for the terms.
Status begin_filling(RowsBuilder& rows) {
  std::uint64_t total = 0;
  for (std::uint32_t& entry : rows.row_starts) {
    total += entry;
    if (total > std::numeric_limits<std::uint32_t>::max()) {
      return {StatusCode::kLimit, "more than 2^32 - 1 terms in one matrix"};
    }
    entry = static_cast<std::uint32_t>(total);
  }
  rows.terms.resize(total);
  return {};
}

/// Puts the terms of each row into the order that MatrixRows promises.
void sort_rows(RowsBuilder& rows) {
  const oneapi::tbb::blocked_range<std::size_t> all(0, rows.row_starts.size() - 1, kRowGrain);
  oneapi::tbb::parallel_for(all, [&](const auto& range) {
    for (std::size_t row = range.begin(); row < range.end(); ++row) {
      const auto rank = [](const MatrixTerm& term) {
        return std::tuple(std::min(term.coefficient, kCoefficientMinusOne + 1), term.column,
                          term.coefficient);
      };
      const auto begin = rows.terms.begin();
      std::sort(begin + rows.row_starts[row], begin + rows.row_starts[row + 1],
                [&](const MatrixTerm& x, const MatrixTerm& y) { return rank(x) < rank(y); });
    }
  });
}

/// A and B from the records of the key, which check_coefficients has accepted.
Status build_from_key(const CoefficientSection& records, CoefficientTable& table, RowsBuilder& a,
                      RowsBuilder& b) {
  std::uint32_t rows = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    rows = std::max(rows, records[i].row + 1);
  }
  for (RowsBuilder* matrix : {&a, &b}) {
    matrix->row_starts.assign(std::size_t{rows} + 1, 0);
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    const CoefficientRecord record = records[i];
    ++(record.matrix == 0 ? a : b).row_starts[record.row + 1];
  }
  std::vector<std::uint32_t> next_a;
  std::vector<std::uint32_t> next_b;
  for (const auto& [matrix, next] : {std::pair(&a, &next_a), std::pair(&b, &next_b)}) {
    BATON_RETURN_IF_ERROR(begin_filling(*matrix));
    *next = matrix->row_starts;
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    const CoefficientRecord record = records[i];
    const std::uint32_t number = table.number_of(load_integer<4>(record.value.data()));
    RowsBuilder& matrix = record.matrix == 0 ? a : b;
    auto& next = record.matrix == 0 ? next_a : next_b;
    matrix.terms[next[record.row]++] = {record.signal, number};
  }
  return {};
}

/// value * R^2 from a canonical value below r.
template <class Fr>
BigInt<4> doubly_montgomery(const BigInt<4>& value) {
  return Fr::from_canonical_unchecked(Fr::from_canonical_unchecked(value).limbs()).limbs();
}

/// C from the constraints of the circuit, with `rows` rows, of which those that bind public signals are
/// empty.
template <class Fr>
Status build_from_r1cs(const R1csFile& r1cs, std::size_t rows, CoefficientTable& table, RowsBuilder& c) {
  c.row_starts.reserve(rows + 1);
  c.row_starts.push_back(0);
  R1csFile::Cursor cursor(r1cs);
  Constraint constraint;
  while (true) {
    BATON_ASSIGN_OR_RETURN(const bool more, cursor.next(constraint));
    if (!more) {
      break;
    }
    for (std::size_t i = 0; i < constraint.c.size(); ++i) {
      const R1csTerm term = constraint.c[i];
      const auto value = doubly_montgomery<Fr>(load_integer<4>(term.coefficient.data()));
      c.terms.push_back({term.wire, table.number_of(value)});
    }
    if (c.terms.size() > std::numeric_limits<std::uint32_t>::max()) {
      return {StatusCode::kLimit, r1cs.name() + ": more than 2^32 - 1 terms in C"};
    }
    c.row_starts.push_back(static_cast<std::uint32_t>(c.terms.size()));
  }
  c.row_starts.resize(rows + 1, static_cast<std::uint32_t>(c.terms.size()));
  return {};
}

/// Lays the parts out one after the other, each on a page.
class ImageWriter {
 public:
  [[nodiscard]] std::uint64_t place(std::span<const std::byte> bytes) {
    const std::uint64_t offset = size_;
    parts_.emplace_back(offset, bytes);
    size_ = (size_ + bytes.size() + kMatrixPage - 1) / kMatrixPage * kMatrixPage;
    return offset;
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  [[nodiscard]] std::vector<std::byte> finish(const MatrixFileHeader& header) const {
    std::vector<std::byte> file(size_);
    std::memcpy(file.data(), &header, sizeof header);
    for (const auto& [offset, bytes] : parts_) {
      std::copy(bytes.begin(), bytes.end(), file.begin() + static_cast<std::ptrdiff_t>(offset));
    }
    seal_matrix_file(file);
    return file;
  }

 private:
  std::uint64_t size_ = kMatrixPage;
  std::vector<std::pair<std::uint64_t, std::span<const std::byte>>> parts_;
};

std::vector<std::byte> lay_out(const ProvingKeyHeader& key, const Digest128& fingerprint,
                               const CoefficientTable& table, std::span<const RowsBuilder> matrices) {
  MatrixFileHeader header;
  header.magic = kMatrixMagic;
  header.version = kMatrixVersion;
  header.curve = static_cast<std::uint32_t>(key.curve);
  header.fingerprint_low = fingerprint.low;
  header.fingerprint_high = fingerprint.high;
  header.n_vars = key.n_vars;
  header.n_public = key.n_public;
  header.domain_size = key.domain_size;
  header.rows = static_cast<std::uint32_t>(matrices[0].row_starts.size() - 1);
  header.has_c = matrices.size() == 3 ? 1 : 0;
  header.coefficients = static_cast<std::uint32_t>(table.values().size());
  ImageWriter image;
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    header.matrices[i].row_starts_offset = image.place(std::as_bytes(std::span(matrices[i].row_starts)));
    header.matrices[i].terms_offset = image.place(std::as_bytes(std::span(matrices[i].terms)));
    header.matrices[i].terms = matrices[i].terms.size();
  }
  header.coefficients_offset = image.place(std::as_bytes(table.values()));
  header.file_bytes = image.size();
  return image.finish(header);
}

/// Every row that binds a public signal exists, so `rows` tells the number of constraints.
Status check_rows(const ProvingKeyFile& key, std::size_t rows) {
  if (rows <= key.header().n_public) {
    return invalid_input(concat(key.name(), ": section 4: ", rows, " rows are in use, expected at least ",
                                key.header().n_public + 1, " for the public signals"));
  }
  return {};
}

}  // namespace

Result<ConstraintMatrix> ConstraintMatrix::compile(const ProvingKeyFile& key, const R1csFile* r1cs,
                                                   const Digest128& fingerprint) {
  const ProvingKeyHeader& header = key.header();
  BATON_RETURN_IF_ERROR(
      check_coefficients(key.coefficients(), header.curve, header.n_vars, header.domain_size)
          .with_context(key.name()));
  BATON_ASSIGN_OR_RETURN(const std::uint64_t seed, random_u64());
  CoefficientTable table(header.curve, seed);
  std::vector<RowsBuilder> matrices(2);
  BATON_RETURN_IF_ERROR(build_from_key(key.coefficients(), table, matrices[0], matrices[1])
                            .with_context(key.name() + ": section 4"));
  const std::size_t rows = matrices[0].row_starts.size() - 1;
  BATON_RETURN_IF_ERROR(check_rows(key, rows));
  if (r1cs != nullptr) {
    BATON_RETURN_IF_ERROR(check_same_counts(*r1cs, key, rows));
    RowsBuilder& c = matrices.emplace_back();
    BATON_RETURN_IF_ERROR(header.curve == CurveId::kBn254
                              ? build_from_r1cs<Fp<Bn254FrParams>>(*r1cs, rows, table, c)
                              : build_from_r1cs<Fp<Bls12_381FrParams>>(*r1cs, rows, table, c));
  }
  for (RowsBuilder& matrix : matrices) {
    sort_rows(matrix);
  }
  auto bytes = lay_out(header, fingerprint, table, matrices);
  BATON_ASSIGN_OR_RETURN(
      ConstraintMatrix matrix,
      from_image(FileImage::from_bytes("compiled constraints", std::move(bytes)), fingerprint));
  if (r1cs != nullptr) {
    BATON_RETURN_IF_ERROR(check_same_circuit(*r1cs, matrix, seed));
  }
  return matrix;
}

}  // namespace baton
