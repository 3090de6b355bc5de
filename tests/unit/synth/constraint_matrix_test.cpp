#include "synth-worker/constraint_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "synth-worker/matrix_layout.hpp"
#include "tests/support/expect_status.hpp"
#include "tests/support/sample_circuit.hpp"
#include "tests/support/temporary_directory.hpp"

namespace baton {
namespace {

using test::Bytes;
using test::refused_saying;
using test::SampleCircuit;

constexpr Digest128 kFingerprint{11, 12};

Result<ConstraintMatrix> compile(const SampleCircuit& circuit, const SampleCircuit& r1cs_circuit) {
  BATON_ASSIGN_OR_RETURN(const ProvingKeyFile key, ProvingKeyFile::from_image(FileImage::from_bytes(
                                                       "key.zkey", test::sample_key(circuit).bytes())));
  BATON_ASSIGN_OR_RETURN(const R1csFile r1cs, R1csFile::from_image(FileImage::from_bytes(
                                                  "c.r1cs", test::sample_r1cs(r1cs_circuit).bytes())));
  return ConstraintMatrix::compile(key, &r1cs, kFingerprint);
}

class ConstraintMatrixTest : public ::testing::TestWithParam<CurveId> {
 protected:
  /// The compiled file with a change, both hashes made good again.
  template <class Change>
  [[nodiscard]] Status read_changed(Change change) const {
    Bytes bytes(matrix_.bytes().begin(), matrix_.bytes().end());
    MatrixFileHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    change(header, bytes);
    std::memcpy(bytes.data(), &header, sizeof header);
    seal_matrix_file(bytes);
    return status(ConstraintMatrix::from_image(FileImage::from_bytes("m", std::move(bytes)), kFingerprint));
  }

  static Status status(const Result<ConstraintMatrix>& result) { return result.status(); }

  SampleCircuit circuit_ = test::chain_circuit(GetParam(), 9);
  ConstraintMatrix matrix_ = compile(circuit_, circuit_).value();
};

INSTANTIATE_TEST_SUITE_P(BothCurves, ConstraintMatrixTest,
                         ::testing::Values(CurveId::kBn254, CurveId::kBls12_381));

TEST_P(ConstraintMatrixTest, has_the_counts_of_the_key) {
  EXPECT_EQ(matrix_.curve(), GetParam());
  EXPECT_EQ(matrix_.n_vars(), 11U);
  EXPECT_EQ(matrix_.n_public(), 2U);
  EXPECT_EQ(matrix_.domain_size(), 16U);
  EXPECT_EQ(matrix_.rows(), 12U);
  EXPECT_EQ(matrix_.n_constraints(), 9U);
  EXPECT_EQ(matrix_.matrix(MatrixId::kB).terms.size(), 9U);
  EXPECT_EQ(matrix_.matrix(MatrixId::kC).terms.size(), 9U);
  EXPECT_EQ(matrix_.coefficients().size() / 32, 5U);  // 1, -1, 3, -3, 2
}

TEST_P(ConstraintMatrixTest, puts_ones_first_in_each_row) {
  const MatrixRows& a = matrix_.matrix(MatrixId::kA);
  ASSERT_EQ(a.row_starts[2] - a.row_starts[1], 3U);
  const MatrixTerm first = a.terms[a.row_starts[1]];
  EXPECT_EQ(first.coefficient, kCoefficientOne);
  EXPECT_EQ(first.column, 2U);
  EXPECT_EQ(a.terms[a.row_starts[1] + 1].column, 0U);
}

TEST_P(ConstraintMatrixTest, survives_its_file) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("m.constraints");
  ASSERT_TRUE(matrix_.write(path).is_ok());
  const auto mapped = ConstraintMatrix::map(path, kFingerprint);
  ASSERT_TRUE(mapped.is_ok()) << mapped.status().message();
  EXPECT_TRUE(std::ranges::equal(mapped->bytes(), matrix_.bytes()));
  EXPECT_EQ(mapped->rows(), matrix_.rows());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), 1);
}

TEST_P(ConstraintMatrixTest, is_the_same_bytes_each_time) {
  EXPECT_TRUE(std::ranges::equal(compile(circuit_, circuit_)->bytes(), matrix_.bytes()));
}

TEST_P(ConstraintMatrixTest, of_another_fingerprint_or_version_is_told_apart_from_a_damaged_one) {
  const Bytes bytes(matrix_.bytes().begin(), matrix_.bytes().end());
  const auto other = ConstraintMatrix::from_image(FileImage::from_bytes("m", bytes), {11, 13});
  EXPECT_EQ(status(other).code(), StatusCode::kVersionMismatch);
  EXPECT_TRUE(refused_saying(other, "m: made for another circuit"));
  const Status version = read_changed([](MatrixFileHeader& header, Bytes&) { ++header.version; });
  EXPECT_EQ(version.code(), StatusCode::kVersionMismatch);
}

TEST_P(ConstraintMatrixTest, with_any_changed_byte_is_refused) {
  const Bytes whole(matrix_.bytes().begin(), matrix_.bytes().end());
  for (std::size_t i = 0; i < whole.size(); i += i < sizeof(MatrixFileHeader) ? 1 : 61) {
    if (i >= sizeof(MatrixFileHeader) && i < kMatrixPage) {
      continue;  // padding of the first page
    }
    Bytes changed = whole;
    changed[i] ^= std::byte{0x10};
    EXPECT_FALSE(ConstraintMatrix::from_image(FileImage::from_bytes("m", changed), kFingerprint).is_ok())
        << i;
  }
}

TEST_P(ConstraintMatrixTest, cut_short_is_refused) {
  const Bytes whole(matrix_.bytes().begin(), matrix_.bytes().end());
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, kMatrixPage, whole.size() - 1}) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(status(ConstraintMatrix::from_image(FileImage::from_bytes("m", cut), kFingerprint)).code(),
              StatusCode::kCorrupt);
  }
}

TEST_P(ConstraintMatrixTest, with_good_hashes_over_bad_content_is_refused) {
  using Header = MatrixFileHeader;
  EXPECT_TRUE(read_changed([](Header&, Bytes&) {}).is_ok());
  const auto expect_corrupt = [&](const std::string& part, auto change) {
    const Status result = read_changed(change);
    EXPECT_EQ(result.code(), StatusCode::kCorrupt);
    EXPECT_TRUE(refused_saying(result, part));
  };
  const std::string counts = "the counts of the header contradict each other";
  expect_corrupt(counts, [](Header& header, Bytes&) { header.curve = 3; });
  expect_corrupt(counts, [](Header& header, Bytes&) { header.has_c = 2; });
  expect_corrupt(counts, [](Header& header, Bytes&) { header.n_public = header.n_vars; });
  expect_corrupt(counts, [](Header& header, Bytes&) { header.rows = header.n_public; });
  expect_corrupt(counts, [](Header& header, Bytes&) { header.rows = header.domain_size + 1; });
  expect_corrupt(counts, [](Header& header, Bytes&) { header.coefficients = 1; });
  expect_corrupt("records at byte", [](Header& header, Bytes&) { header.matrices[0].terms = ~0ULL; });
  expect_corrupt("records at byte",
                 [](Header& header, Bytes&) { header.matrices[1].terms_offset = ~0ULL << 12U; });
  expect_corrupt("records at byte", [](Header& header, Bytes&) { header.matrices[1].row_starts_offset = 0; });
  expect_corrupt("records at byte", [](Header& header, Bytes&) { ++header.coefficients_offset; });
  expect_corrupt("matrix A: rows or terms out of range", [](Header& header, Bytes&) { header.n_vars = 3; });
  expect_corrupt("matrix A: rows or terms out of range",
                 [](Header& header, Bytes&) { header.coefficients = 2; });
  expect_corrupt("matrix C: rows or terms out of range", [](Header& header, Bytes& bytes) {
    test::poke(bytes, header.matrices[2].row_starts_offset + 4, std::uint32_t{5});
  });
  expect_corrupt("matrix B: rows or terms out of range",
                 [](Header& header, Bytes&) { --header.matrices[1].terms; });
}

TEST_P(ConstraintMatrixTest, refuses_the_constraints_of_another_circuit) {
  EXPECT_TRUE(refused_saying(status(compile(circuit_, test::chain_circuit(GetParam(), 8))),
                             "c.r1cs: 10 wires, the key is for 11"));
  SampleCircuit other = circuit_;
  other.constraints.pop_back();
  EXPECT_TRUE(refused_saying(status(compile(circuit_, other)), "c.r1cs: 8 constraints, the key is for 9"));
  other = circuit_;
  other.n_public_inputs = 0;
  EXPECT_TRUE(refused_saying(status(compile(circuit_, other)), "c.r1cs: 1 public signals, the key is for 2"));
  const CurveId other_curve = GetParam() == CurveId::kBn254 ? CurveId::kBls12_381 : CurveId::kBn254;
  EXPECT_TRUE(refused_saying(status(compile(circuit_, test::chain_circuit(other_curve, 9))),
                             "c.r1cs: a circuit over "));
}

TEST_P(ConstraintMatrixTest, names_the_constraint_that_differs_from_the_key) {
  for (const auto side : {&test::SampleConstraint::a, &test::SampleConstraint::b}) {
    SampleCircuit other = circuit_;
    (other.constraints[6].*side)[0].second = BigInt<4>::from_u64(77);
    EXPECT_TRUE(
        refused_saying(status(compile(circuit_, other)), "c.r1cs: constraint 6 is not that of the key"));
    other = circuit_;
    (other.constraints[4].*side)[0].first = 1;
    EXPECT_TRUE(
        refused_saying(status(compile(circuit_, other)), "c.r1cs: constraint 4 is not that of the key"));
  }
}

TEST_P(ConstraintMatrixTest, refuses_a_key_whose_coefficients_are_out_of_range) {
  test::SampleContainer container = test::sample_key(circuit_);
  test::poke(container.section(4), 4 + 2 * CoefficientSection::kRecordBytes + 8, std::uint32_t{11});
  const auto key = ProvingKeyFile::from_image(FileImage::from_bytes("key.zkey", container.bytes()));
  ASSERT_TRUE(key.is_ok());
  EXPECT_TRUE(refused_saying(status(ConstraintMatrix::compile(*key, nullptr, kFingerprint)),
                             "key.zkey: section 4: coefficient 2: signal 11 is not one of the 11 wires"));
}

TEST_P(ConstraintMatrixTest, refuses_a_key_without_rows_for_its_public_signals) {
  test::SampleContainer container = test::sample_key(circuit_);
  Bytes& section = container.section(4);
  const std::size_t record = CoefficientSection::kRecordBytes;
  section.resize(4 + record);
  test::poke(section, 0, std::uint32_t{1});
  test::poke(container.section(2), test::n_vars_offset(GetParam()) + 8, std::uint32_t{2});
  container.section(9).resize(container.section(9).size() / 8);
  const auto key = ProvingKeyFile::from_image(FileImage::from_bytes("key.zkey", container.bytes()));
  ASSERT_TRUE(key.is_ok()) << key.status().message();
  EXPECT_TRUE(refused_saying(status(ConstraintMatrix::compile(*key, nullptr, kFingerprint)),
                             "key.zkey: section 4: 1 rows are in use, expected at least 3"));
}

}  // namespace
}  // namespace baton
