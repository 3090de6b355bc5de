#include "shared/formats/coefficient_section.hpp"

#include <gtest/gtest.h>

#include "shared/formats/prime_field.hpp"
#include "tests/support/expect_status.hpp"
#include "tests/support/sample_circuit.hpp"

namespace baton {
namespace {

using test::Bytes;
using test::poke;
using test::refused_saying;

constexpr std::size_t kRecord = CoefficientSection::kRecordBytes;

class CoefficientSectionTest : public ::testing::TestWithParam<CurveId> {
 protected:
  CoefficientSectionTest() {
    const Bytes section = test::sample_key(circuit_).section(4);
    records_.assign(section.begin() + 4, section.end());
  }

  [[nodiscard]] Status check(std::uint32_t domain_size = 16) const {
    return check_coefficients(CoefficientSection(records_), GetParam(), circuit_.n_wires(), domain_size);
  }

  /// What is said when field number `field` of the record holds `value`.
  [[nodiscard]] Status check_with(std::size_t record, std::size_t field, std::uint32_t value) {
    const Bytes before = records_;
    poke(records_, record * kRecord + field * 4, value);
    Status status = check();
    records_ = before;
    return status;
  }

  test::SampleCircuit circuit_ = test::chain_circuit(GetParam(), 9);
  Bytes records_;
};

INSTANTIATE_TEST_SUITE_P(BothCurves, CoefficientSectionTest,
                         ::testing::Values(CurveId::kBn254, CurveId::kBls12_381));

TEST_P(CoefficientSectionTest, gives_its_records) {
  const CoefficientSection section(records_);
  EXPECT_EQ(section.size(), records_.size() / kRecord);
  const CoefficientRecord last = section[section.size() - 1];
  EXPECT_EQ(last.matrix, 0U);
  EXPECT_EQ(last.row, 11U);
  EXPECT_EQ(last.signal, 2U);
  EXPECT_TRUE(check().is_ok());
}

TEST_P(CoefficientSectionTest, names_the_first_bad_record) {
  EXPECT_TRUE(refused_saying(check_with(3, 0, 2), "section 4: coefficient 3: matrix 2, expected 0 or 1"));
  EXPECT_TRUE(
      refused_saying(check_with(3, 1, 16), "section 4: coefficient 3: row 16 is outside the domain of 16"));
  EXPECT_TRUE(refused_saying(check_with(3, 1, ~0U), "section 4: coefficient 3: row 4294967295 is outside"));
  EXPECT_TRUE(
      refused_saying(check_with(3, 2, 11), "section 4: coefficient 3: signal 11 is not one of the 11 wires"));
  EXPECT_TRUE(refused_saying(check_with(3, 2, ~0U), "section 4: coefficient 3: signal 4294967295 is not"));
  poke(records_, 5 * kRecord + 12, scalar_modulus(GetParam()));
  EXPECT_TRUE(refused_saying(check(), "section 4: coefficient 5: the value is not below r"));
  EXPECT_TRUE(refused_saying(check_with(6, 1, 99), "section 4: coefficient 5: "));
}

TEST_P(CoefficientSectionTest, takes_the_smallest_domain_that_fits_only) {
  EXPECT_TRUE(check(16).is_ok());
  EXPECT_TRUE(refused_saying(check(32), "section 4: 12 rows are in use, too few for a domain of 32"));
  EXPECT_TRUE(refused_saying(check(8), "row 8 is outside the domain of 8"));
}

TEST_P(CoefficientSectionTest, of_many_records_is_checked_whole) {
  const Bytes one(records_.begin(), records_.begin() + kRecord);
  const std::size_t count = 100'000;
  for (std::size_t i = 0; i < count; ++i) {
    records_.insert(records_.end(), one.begin(), one.end());
  }
  EXPECT_TRUE(check().is_ok());
  const std::size_t last = records_.size() / kRecord - 1;
  EXPECT_TRUE(refused_saying(check_with(last, 2, 11), "coefficient " + std::to_string(last) + ": signal 11"));
}

}  // namespace
}  // namespace baton
