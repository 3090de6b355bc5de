#include "synth-worker/constraint_evaluator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "shared/formats/witness_file.hpp"
#include "shared/math/bls12_381_params.hpp"
#include "shared/math/bn254_params.hpp"
#include "shared/math/fp.hpp"
#include "tests/support/expect_status.hpp"
#include "tests/support/sample_circuit.hpp"

namespace baton {
namespace {

using test::Bytes;
using test::refused_saying;
using test::SampleCircuit;
using test::SampleContainer;

constexpr Digest128 kFingerprint{1, 2};

Bytes witness_bytes(const SampleCircuit& circuit) {
  test::ByteWriter writer;
  for (const BigInt<4>& value : circuit.witness) {
    writer.put(value);
  }
  return writer.bytes();
}

Result<ConstraintMatrix> compile(const SampleContainer& key_container, const SampleCircuit* circuit) {
  BATON_ASSIGN_OR_RETURN(const ProvingKeyFile key, ProvingKeyFile::from_image(FileImage::from_bytes(
                                                       "key.zkey", key_container.bytes())));
  if (circuit == nullptr) {
    return ConstraintMatrix::compile(key, nullptr, kFingerprint);
  }
  BATON_ASSIGN_OR_RETURN(const R1csFile r1cs, R1csFile::from_image(FileImage::from_bytes(
                                                  "c.r1cs", test::sample_r1cs(*circuit).bytes())));
  return ConstraintMatrix::compile(key, &r1cs, kFingerprint);
}

/// The products as Montgomery bytes, by the plainest arithmetic.
template <class Fr>
Bytes expected_products(const SampleCircuit& circuit, test::SampleCombination test::SampleConstraint::*side) {
  Bytes out(std::size_t{circuit.domain_size()} * Fr::kBytes);
  const auto element = [](const BigInt<4>& value) { return *Fr::from_canonical(value); };
  std::size_t row = 0;
  for (const test::SampleConstraint& constraint : circuit.constraints) {
    Fr sum = Fr::zero();
    for (const auto& [wire, coefficient] : constraint.*side) {
      sum += element(coefficient) * element(circuit.witness[wire]);
    }
    sum.store(out.data() + row++ * Fr::kBytes);
  }
  if (side == &test::SampleConstraint::a) {
    for (std::size_t signal = 0; signal <= circuit.n_public(); ++signal) {
      element(circuit.witness[signal]).store(out.data() + row++ * Fr::kBytes);
    }
  }
  return out;
}

class ConstraintEvaluatorTest : public ::testing::TestWithParam<CurveId> {
 protected:
  [[nodiscard]] static Bytes expected(const SampleCircuit& circuit,
                                      test::SampleCombination test::SampleConstraint::*side) {
    return circuit.curve == CurveId::kBn254 ? expected_products<Fp<Bn254FrParams>>(circuit, side)
                                            : expected_products<Fp<Bls12_381FrParams>>(circuit, side);
  }

  /// Evaluates into memory full of rubbish and compares every byte.
  static void expect_products(const SampleCircuit& circuit, const ConstraintMatrix& matrix) {
    const Bytes rubbish(std::size_t{circuit.domain_size()} * 32, std::byte{0xee});
    Bytes a = rubbish;
    Bytes b = rubbish;
    Bytes c = matrix.has_c() ? rubbish : Bytes();
    const Status status = evaluate_constraints(matrix, witness_bytes(circuit), {a, b, c});
    ASSERT_TRUE(status.is_ok()) << status.message();
    EXPECT_EQ(a, expected(circuit, &test::SampleConstraint::a));
    EXPECT_EQ(b, expected(circuit, &test::SampleConstraint::b));
    if (matrix.has_c()) {
      EXPECT_EQ(c, expected(circuit, &test::SampleConstraint::c));
    }
  }

  static void expect_products(const SampleCircuit& circuit) {
    for (const bool with_c : {false, true}) {
      const auto matrix = compile(test::sample_key(circuit), with_c ? &circuit : nullptr);
      ASSERT_TRUE(matrix.is_ok()) << matrix.status().message();
      EXPECT_EQ(matrix->has_c(), with_c);
      EXPECT_EQ(matrix->n_constraints(), circuit.constraints.size());
      expect_products(circuit, *matrix);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(BothCurves, ConstraintEvaluatorTest,
                         ::testing::Values(CurveId::kBn254, CurveId::kBls12_381));

TEST_P(ConstraintEvaluatorTest, equals_plain_arithmetic_on_a_chain) {
  for (const std::uint32_t length : {1U, 5U, 13U, 14U, 1000U}) {
    expect_products(test::chain_circuit(GetParam(), length));
  }
}

TEST_P(ConstraintEvaluatorTest, equals_plain_arithmetic_on_random_rows) {
  expect_products(test::random_circuit(GetParam(), 300, 9, 1));
}

TEST_P(ConstraintEvaluatorTest, equals_plain_arithmetic_with_more_coefficients_than_a_small_table_holds) {
  expect_products(test::random_circuit(GetParam(), 700, 12, 2));
}

TEST_P(ConstraintEvaluatorTest, equals_plain_arithmetic_without_any_constraint) {
  SampleCircuit circuit = test::chain_circuit(GetParam(), 3);
  circuit.constraints.clear();
  expect_products(circuit);
}

TEST_P(ConstraintEvaluatorTest, equals_plain_arithmetic_on_an_all_zero_witness) {
  SampleCircuit circuit = test::chain_circuit(GetParam(), 30);
  std::fill(circuit.witness.begin() + 1, circuit.witness.end(), BigInt<4>{});
  const auto matrix = compile(test::sample_key(circuit), nullptr);
  ASSERT_TRUE(matrix.is_ok());
  expect_products(circuit, *matrix);
}

TEST_P(ConstraintEvaluatorTest, takes_the_coefficients_of_the_key_in_any_order) {
  const SampleCircuit circuit = test::random_circuit(GetParam(), 100, 5, 3);
  SampleContainer key = test::sample_key(circuit);
  Bytes& section = key.section(4);
  using Record = std::array<std::byte, CoefficientSection::kRecordBytes>;
  std::vector<Record> records((section.size() - 4) / sizeof(Record));
  std::memcpy(records.data(), section.data() + 4, section.size() - 4);
  std::shuffle(records.begin(), records.end(), std::mt19937(7));
  std::memcpy(section.data() + 4, records.data(), section.size() - 4);
  const auto matrix = compile(key, &circuit);
  ASSERT_TRUE(matrix.is_ok()) << matrix.status().message();
  expect_products(circuit, *matrix);
}

TEST_P(ConstraintEvaluatorTest, names_the_first_violated_constraint) {
  SampleCircuit circuit = test::chain_circuit(GetParam(), 2000);
  const auto matrix = compile(test::sample_key(circuit), &circuit);
  ASSERT_TRUE(matrix.is_ok());
  Bytes a(std::size_t{circuit.domain_size()} * 32);
  Bytes b(a.size());
  for (const std::size_t constraint :
       {std::size_t{1999}, std::size_t{1234}, std::size_t{7}, std::size_t{0}}) {
    const std::uint32_t wire = circuit.constraints[constraint].c[0].first;
    circuit.witness[wire].limbs[0] ^= 1;
    const Status status = evaluate_constraints(*matrix, witness_bytes(circuit), {a, b, {}});
    EXPECT_EQ(status.code(), StatusCode::kUnsatisfied);
    EXPECT_TRUE(refused_saying(status, "the witness violates constraint " + std::to_string(constraint) +
                                           " of 2000 (counted from 0)"));
  }
}

TEST_P(ConstraintEvaluatorTest, refuses_ranges_of_another_size) {
  const SampleCircuit circuit = test::chain_circuit(GetParam(), 5);
  const auto matrix = compile(test::sample_key(circuit), nullptr);
  ASSERT_TRUE(matrix.is_ok());
  const Bytes w = witness_bytes(circuit);
  Bytes a(std::size_t{circuit.domain_size()} * 32);
  Bytes b(a.size());
  Bytes c(a.size());
  EXPECT_TRUE(refused_saying(evaluate_constraints(*matrix, std::span(w).first(w.size() - 32), {a, b, {}}),
                             "a witness of "));
  EXPECT_TRUE(
      refused_saying(evaluate_constraints(*matrix, w, {std::span(a).first(32), b, {}}), "an output of "));
  EXPECT_TRUE(refused_saying(evaluate_constraints(*matrix, w, {a, b, c}), "C is not known"));
}

TEST(ConstraintEvaluator, is_satisfied_by_the_witnesses_of_circom) {
  for (const std::string folder : {"/membership", "/membership_bls12381"}) {
    const std::string base = BATON_TEST_DATA + folder;
    const auto key = ProvingKeyFile::open(base + "/key.zkey", FileAccess::kMap);
    const auto r1cs = R1csFile::open(base + "/circuit.r1cs", FileAccess::kMap);
    const auto witness = WitnessFile::open(base + "/witness.wtns");
    ASSERT_TRUE(key.is_ok() && r1cs.is_ok() && witness.is_ok());
    ASSERT_TRUE(witness->check_fits(key->header().curve, key->header().n_vars).is_ok());
    Bytes w(std::size_t{witness->count()} * 32);
    ASSERT_TRUE(witness->read_values(w).is_ok());
    const auto matrix = ConstraintMatrix::compile(*key, &*r1cs, kFingerprint);
    ASSERT_TRUE(matrix.is_ok()) << matrix.status().message();
    const Status status = evaluate_constraints(*matrix, w, {});
    EXPECT_TRUE(status.is_ok()) << status.message();
  }
}

}  // namespace
}  // namespace baton
