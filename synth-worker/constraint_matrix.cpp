#include "synth-worker/constraint_matrix.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "shared/formats/prime_field.hpp"
#include "shared/support/atomic_file.hpp"
#include "shared/support/concat.hpp"
#include "synth-worker/matrix_layout.hpp"

namespace baton {

namespace {

constexpr std::size_t kGrain = 16384;  // terms or rows

Status corrupt(const std::string& what) {
  return {StatusCode::kCorrupt, what};
}

std::uint64_t header_hash(const MatrixFileHeader& header) {
  const auto bytes = std::as_bytes(std::span(&header, 1));
  return hash64(bytes.first(offsetof(MatrixFileHeader, header_hash)));
}

Result<MatrixFileHeader> read_header(std::span<const std::byte> file) {
  if (file.size() < kMatrixPage) {
    return corrupt(concat(file.size(), " bytes, shorter than its header"));
  }
  MatrixFileHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  if (header.magic != kMatrixMagic) {
    return corrupt("not a matrix file");
  }
  if (header.version != kMatrixVersion) {
    return Status(StatusCode::kVersionMismatch,
                  concat("matrix version ", header.version, ", expected ", kMatrixVersion));
  }
  if (header.header_hash != header_hash(header)) {
    return corrupt("the header does not match its hash");
  }
  if (header.file_bytes != file.size()) {
    return corrupt(concat(file.size(), " bytes, expected ", header.file_bytes));
  }
  return header;
}

/// `count` records of T at `offset`, which must lie inside the file and be aligned.
template <class T>
Result<std::span<const T>> range_of(std::span<const std::byte> file, std::uint64_t offset,
                                    std::uint64_t count) {
  if (offset < kMatrixPage || offset % kMatrixPage != 0 || offset > file.size() ||
      count > (file.size() - offset) / sizeof(T)) {
    return corrupt(concat(count, " records at byte ", offset, " do not fit the file"));
  }
  return std::span(reinterpret_cast<const T*>(file.data() + offset), count);
}

bool starts_are_good(const MatrixRows& matrix) {
  std::atomic<bool> good = matrix.row_starts.front() == 0 && matrix.row_starts.back() == matrix.terms.size();
  const oneapi::tbb::blocked_range<std::size_t> all(1, matrix.row_starts.size(), kGrain);
  oneapi::tbb::parallel_for(all, [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      if (matrix.row_starts[i] < matrix.row_starts[i - 1]) {
        good.store(false, std::memory_order_relaxed);
      }
    }
  });
  return good.load(std::memory_order_relaxed);
}

bool terms_are_good(const MatrixRows& matrix, std::uint32_t n_vars, std::uint32_t coefficients) {
  std::atomic<bool> good = true;
  const oneapi::tbb::blocked_range<std::size_t> all(0, matrix.terms.size(), kGrain);
  oneapi::tbb::parallel_for(all, [&](const auto& range) {
    bool inside = true;
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      inside = inside && matrix.terms[i].column < n_vars && matrix.terms[i].coefficient < coefficients;
    }
    if (!inside) {
      good.store(false, std::memory_order_relaxed);
    }
  });
  return good.load(std::memory_order_relaxed);
}

Status check_counts(const MatrixFileHeader& header) {
  const bool known_curve = header.curve == static_cast<std::uint32_t>(CurveId::kBn254) ||
                           header.curve == static_cast<std::uint32_t>(CurveId::kBls12_381);
  if (!known_curve || header.has_c > 1 || header.n_public >= header.n_vars ||
      header.rows <= header.n_public || header.rows > header.domain_size || header.coefficients < 2) {
    return corrupt("the counts of the header contradict each other");
  }
  return {};
}

}  // namespace

void seal_matrix_file(std::span<std::byte> file) {
  MatrixFileHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  header.body_hash = hash64(file.subspan(kMatrixPage));
  header.header_hash = header_hash(header);
  std::memcpy(file.data(), &header, sizeof header);
}

Result<ConstraintMatrix> ConstraintMatrix::map(const std::string& path, const Digest128& fingerprint) {
  BATON_ASSIGN_OR_RETURN(FileImage image, FileImage::open(path, FileAccess::kMap));
  return from_image(std::move(image), fingerprint);
}

Result<ConstraintMatrix> ConstraintMatrix::from_image(FileImage image, const Digest128& fingerprint) {
  ConstraintMatrix matrix(std::move(image));
  if (Status status = matrix.read(fingerprint); !status.is_ok()) {
    return std::move(status).with_context(matrix.image_.name());
  }
  return matrix;
}

Status ConstraintMatrix::read(const Digest128& fingerprint) {
  const auto file = image_.bytes();
  BATON_ASSIGN_OR_RETURN(const MatrixFileHeader header, read_header(file));
  if (fingerprint != Digest128{header.fingerprint_low, header.fingerprint_high}) {
    return {StatusCode::kVersionMismatch, "made for another circuit"};
  }
  BATON_RETURN_IF_ERROR(check_counts(header));
  if (header.body_hash != hash64(file.subspan(kMatrixPage))) {
    return corrupt("the content does not match its hash");
  }
  curve_ = static_cast<CurveId>(header.curve);
  n_vars_ = header.n_vars;
  n_public_ = header.n_public;
  domain_size_ = header.domain_size;
  rows_ = header.rows;
  has_c_ = header.has_c == 1;
  for (std::size_t i = 0; i < (has_c_ ? 3U : 2U); ++i) {
    const MatrixRange& range = header.matrices[i];
    BATON_ASSIGN_OR_RETURN(matrices_[i].row_starts,
                           range_of<std::uint32_t>(file, range.row_starts_offset, std::uint64_t{rows_} + 1));
    BATON_ASSIGN_OR_RETURN(matrices_[i].terms, range_of<MatrixTerm>(file, range.terms_offset, range.terms));
    if (!starts_are_good(matrices_[i]) || !terms_are_good(matrices_[i], n_vars_, header.coefficients)) {
      return corrupt(concat("matrix ", std::string_view("ABC").substr(i, 1), ": rows or terms out of range"));
    }
  }
  using Value = std::array<std::byte, kScalarBytes>;
  BATON_ASSIGN_OR_RETURN(const auto values,
                         range_of<Value>(file, header.coefficients_offset, header.coefficients));
  coefficients_ = std::as_bytes(values);
  return {};
}

Status ConstraintMatrix::write(const std::string& path) const {
  BATON_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::create(path));
  BATON_RETURN_IF_ERROR(file.append(bytes()));
  return file.commit();
}

}  // namespace baton
