#include "shared/formats/r1cs_file.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_status.hpp"
#include "tests/support/sample_circuit.hpp"

namespace baton {
namespace {

using test::Bytes;
using test::ByteWriter;
using test::poke;
using test::refused_saying;
using test::SampleContainer;

constexpr std::size_t kWiresOffset = 36;
constexpr std::size_t kOutputsOffset = 40;
constexpr std::size_t kInputsOffset = 44;
constexpr std::size_t kPrivateOffset = 48;
constexpr std::size_t kConstraintsOffset = 60;

Result<R1csFile> open(const SampleContainer& container) {
  return R1csFile::from_image(FileImage::from_bytes("c.r1cs", container.bytes()));
}

/// The constraints read through to the end.
Result<std::uint32_t> count_constraints(const SampleContainer& container) {
  BATON_ASSIGN_OR_RETURN(const R1csFile file, open(container));
  R1csFile::Cursor cursor(file);
  Constraint constraint;
  while (true) {
    BATON_ASSIGN_OR_RETURN(const bool more, cursor.next(constraint));
    if (!more) {
      return cursor.index();
    }
  }
}

class R1csFileTest : public ::testing::TestWithParam<CurveId> {
 protected:
  test::SampleCircuit circuit_ = test::chain_circuit(GetParam(), 9);
  SampleContainer container_ = test::sample_r1cs(circuit_);
};

INSTANTIATE_TEST_SUITE_P(BothCurves, R1csFileTest, ::testing::Values(CurveId::kBn254, CurveId::kBls12_381));

TEST_P(R1csFileTest, gives_header_and_constraints) {
  const auto file = open(container_);
  ASSERT_TRUE(file.is_ok()) << file.status().message();
  EXPECT_EQ(file->header().curve, GetParam());
  EXPECT_EQ(file->header().n_wires, 11U);
  EXPECT_EQ(file->header().n_public(), 2U);
  EXPECT_EQ(file->header().n_constraints, 9U);
  R1csFile::Cursor cursor(*file);
  Constraint constraint;
  for (const test::SampleConstraint& expected : circuit_.constraints) {
    ASSERT_TRUE(cursor.next(constraint).value());
    ASSERT_EQ(constraint.a.size(), expected.a.size());
    ASSERT_EQ(constraint.c.size(), expected.c.size());
    for (std::size_t i = 0; i < expected.a.size(); ++i) {
      EXPECT_EQ(constraint.a[i].wire, expected.a[i].first);
      EXPECT_TRUE(load_integer<4>(constraint.a[i].coefficient.data()) == expected.a[i].second);
    }
  }
  EXPECT_FALSE(cursor.next(constraint).value());
}

TEST_P(R1csFileTest, takes_another_section_order_and_empty_combinations) {
  std::swap(container_.sections[0], container_.sections[1]);
  EXPECT_EQ(count_constraints(container_).value(), 9U);
  circuit_.constraints[4] = {};
  EXPECT_EQ(count_constraints(test::sample_r1cs(circuit_)).value(), 9U);
  circuit_.constraints.clear();
  EXPECT_EQ(count_constraints(test::sample_r1cs(circuit_)).value(), 0U);
}

TEST_P(R1csFileTest, takes_more_private_inputs_than_wires) {
  poke(container_.section(1), kPrivateOffset, std::uint32_t{1000});
  EXPECT_EQ(count_constraints(container_).value(), 9U);
}

TEST_P(R1csFileTest, refuses_every_truncation) {
  const Bytes whole = container_.bytes();
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(R1csFile::from_image(FileImage::from_bytes("c.r1cs", prefix)).is_ok()) << size;
  }
}

TEST_P(R1csFileTest, refuses_other_containers_and_versions) {
  SampleContainer other = container_;
  other.magic = "r1cz";
  EXPECT_TRUE(refused_saying(open(other), "c.r1cs: not a r1cs file: it begins with \"r1cz\""));
  for (const std::uint32_t version : {0U, 2U}) {
    other = container_;
    other.version = version;
    EXPECT_TRUE(refused_saying(open(other), "c.r1cs: unsupported r1cs version "));
  }
}

TEST_P(R1csFileTest, names_a_foreign_prime) {
  container_.section(1) =
      ByteWriter().put(std::uint32_t{8}).put(std::uint64_t{0xffffffff00000001U}).put_bytes(Bytes(28)).bytes();
  EXPECT_TRUE(
      refused_saying(open(container_), "c.r1cs: section 1: prime r: the prime is that of goldilocks"));
}

TEST_P(R1csFileTest, refuses_a_wrong_field_width) {
  poke(container_.section(1), 0, std::uint32_t{48});
  EXPECT_TRUE(refused_saying(open(container_), "c.r1cs: section 1: prime r: "));
}

TEST_P(R1csFileTest, refuses_a_header_of_another_length) {
  container_.section(1).push_back(std::byte{});
  EXPECT_TRUE(refused_saying(open(container_), "c.r1cs: section 1: length 65, expected 64"));
}

TEST_P(R1csFileTest, refuses_more_public_signals_than_wires) {
  poke(container_.section(1), kInputsOffset, std::uint32_t{1000});
  EXPECT_TRUE(refused_saying(
      open(container_), "c.r1cs: section 1: 1 + 1 public outputs + 1000 public inputs exceed the 11 wires"));
  poke(container_.section(1), kInputsOffset, ~0U);
  poke(container_.section(1), kOutputsOffset, std::uint32_t{1});
  EXPECT_TRUE(refused_saying(open(container_), "exceed the 11 wires"));
}

TEST_P(R1csFileTest, refuses_a_constraint_count_that_contradicts_the_section) {
  poke(container_.section(1), kConstraintsOffset, ~0U);
  EXPECT_TRUE(refused_saying(open(container_), "c.r1cs: section 2: 4294967295 constraints do not fit its "));
  poke(container_.section(1), kConstraintsOffset, std::uint32_t{8});
  EXPECT_TRUE(
      refused_saying(count_constraints(container_), "bytes left after the 8 constraints of the header"));
  poke(container_.section(1), kConstraintsOffset, std::uint32_t{10});
  EXPECT_TRUE(
      refused_saying(count_constraints(container_), "c.r1cs: section 2: constraint 9: A: 0 terms do not"));
}

TEST_P(R1csFileTest, names_the_term_that_is_wrong) {
  Bytes& body = container_.section(2);
  poke(body, 8, scalar_modulus(GetParam()));
  EXPECT_TRUE(refused_saying(count_constraints(container_),
                             "c.r1cs: section 2: constraint 0: A: term 0: the coefficient is not below r"));
  poke(body, 4, std::uint32_t{11});
  EXPECT_TRUE(
      refused_saying(count_constraints(container_),
                     "c.r1cs: section 2: constraint 0: A: term 0: wire 11 is not one of the 11 wires"));
  poke(body, 0, ~0U);
  EXPECT_TRUE(
      refused_saying(count_constraints(container_), "constraint 0: A: 4294967295 terms do not fit the "));
}

TEST_P(R1csFileTest, refuses_fewer_wires_than_the_constraints_name) {
  poke(container_.section(1), kWiresOffset, std::uint32_t{5});
  EXPECT_TRUE(refused_saying(count_constraints(container_), "wire 5 is not one of the 5 wires"));
}

TEST_P(R1csFileTest, refuses_custom_gates_by_name) {
  const Bytes list = ByteWriter()
                         .put(std::uint32_t{2})
                         .put_text("RangeCheck")
                         .put(std::uint8_t{0})
                         .put(std::uint32_t{0})
                         .bytes();
  SampleContainer declared = container_;
  declared.sections.push_back({4, list});
  EXPECT_TRUE(refused_saying(
      open(declared),
      "c.r1cs: section 4: 2 custom gates (first: RangeCheck), which Groth16 does not enforce"));
  SampleContainer used = container_;
  used.sections.push_back({5, ByteWriter().put(std::uint32_t{3}).bytes()});
  EXPECT_TRUE(
      refused_saying(open(used), "c.r1cs: section 5: 3 custom gates, which Groth16 does not enforce"));
  SampleContainer cut = container_;
  cut.sections.push_back({4, Bytes(3)});
  EXPECT_TRUE(refused_saying(open(cut), "c.r1cs: section 4: no count of custom gates"));
}

TEST_P(R1csFileTest, takes_empty_lists_of_custom_gates) {
  container_.sections.push_back({4, Bytes(4)});
  container_.sections.push_back({5, Bytes(4)});
  EXPECT_TRUE(open(container_).is_ok());
}

}  // namespace
}  // namespace baton
