#include "shared/formats/witness_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/expect_status.hpp"
#include "tests/support/sample_circuit.hpp"
#include "tests/support/temporary_directory.hpp"

namespace baton {
namespace {

using test::Bytes;
using test::poke;
using test::refused_saying;
using test::SampleContainer;

constexpr std::uint32_t kLength = 9;
constexpr std::size_t kCountOffset = 36;

/// A source that owns its bytes.
class OwningSource final : public ByteSource {
 public:
  explicit OwningSource(Bytes bytes) : bytes_(std::move(bytes)), memory_("witness.wtns", bytes_) {}
  [[nodiscard]] const std::string& name() const noexcept override { return memory_.name(); }
  [[nodiscard]] std::uint64_t size() const noexcept override { return memory_.size(); }
  [[nodiscard]] Status read(std::uint64_t offset, std::span<std::byte> out) const override {
    return memory_.read(offset, out);
  }

 private:
  Bytes bytes_;
  MemorySource memory_;
};

Result<WitnessFile> open(const SampleContainer& container) {
  return WitnessFile::from_source(std::make_unique<OwningSource>(container.bytes()));
}

Status read_all(const SampleContainer& container) {
  const auto file = open(container);
  if (!file) {
    return file.status();
  }
  Bytes values(std::size_t{file->count()} * kScalarBytes);
  return file->read_values(values);
}

class WitnessFileTest : public ::testing::TestWithParam<CurveId> {
 protected:
  test::SampleCircuit circuit_ = test::chain_circuit(GetParam(), kLength);
  SampleContainer container_ = test::sample_witness(circuit_);
  std::string curve_ = std::string(curve_name(GetParam()));
};

INSTANTIATE_TEST_SUITE_P(BothCurves, WitnessFileTest,
                         ::testing::Values(CurveId::kBn254, CurveId::kBls12_381));

TEST_P(WitnessFileTest, gives_count_curve_and_values) {
  const auto file = open(container_);
  ASSERT_TRUE(file.is_ok()) << file.status().message();
  EXPECT_EQ(file->curve(), GetParam());
  EXPECT_EQ(file->count(), circuit_.n_wires());
  Bytes values(std::size_t{file->count()} * kScalarBytes);
  ASSERT_TRUE(file->read_values(values).is_ok());
  EXPECT_EQ(values, container_.section(2));
}

TEST_P(WitnessFileTest, takes_the_sections_in_the_other_order) {
  std::swap(container_.sections[0], container_.sections[1]);
  EXPECT_TRUE(read_all(container_).is_ok());
}

TEST_P(WitnessFileTest, refuses_every_truncation) {
  const Bytes whole = container_.bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(WitnessFile::from_source(std::make_unique<OwningSource>(prefix)).is_ok()) << size;
  }
}

TEST_P(WitnessFileTest, refuses_other_versions) {
  for (const std::uint32_t version : {0U, 1U, 3U}) {
    container_.version = version;
    EXPECT_TRUE(refused_saying(read_all(container_), "witness.wtns: unsupported wtns version"));
  }
}

TEST_P(WitnessFileTest, refuses_missing_and_repeated_sections) {
  for (const std::uint32_t id : {1U, 2U}) {
    SampleContainer without = container_;
    without.remove(id);
    EXPECT_TRUE(refused_saying(read_all(without), "section " + std::to_string(id) + " is missing"));
    SampleContainer twice = container_;
    twice.sections.push_back({id, twice.section(id)});
    EXPECT_TRUE(refused_saying(read_all(twice), "section " + std::to_string(id) + " occurs twice"));
  }
}

TEST_P(WitnessFileTest, refuses_a_wrong_field_width_or_prime) {
  for (const std::uint32_t n8 : {0U, 48U, 64U}) {
    SampleContainer broken = container_;
    poke(broken.section(1), 0, n8);
    EXPECT_TRUE(refused_saying(read_all(broken), "witness.wtns: section 1: prime r: n8 is "));
  }
  poke(container_.section(1), 4, std::uint64_t{3});
  EXPECT_TRUE(refused_saying(read_all(container_), "section 1: prime r: unknown prime 0x"));
}

TEST_P(WitnessFileTest, refuses_a_header_of_another_length) {
  SampleContainer broken = container_;
  broken.section(1).resize(41);
  EXPECT_TRUE(refused_saying(read_all(broken), "section 1: length 41, expected 40"));
  broken.section(1).resize(3);
  EXPECT_TRUE(refused_saying(read_all(broken), "section 1: length 3, expected 40"));
  broken.section(1).resize(1000);
  EXPECT_TRUE(refused_saying(read_all(broken), "section 1: length 1000, expected 40"));
}

TEST_P(WitnessFileTest, refuses_a_count_that_contradicts_the_data) {
  for (const std::uint32_t count : {1U, circuit_.n_wires() - 1, circuit_.n_wires() + 1, 0xffffffffU}) {
    poke(container_.section(1), kCountOffset, count);
    EXPECT_TRUE(refused_saying(read_all(container_), "witness.wtns: section 2: length "));
  }
  poke(container_.section(1), kCountOffset, std::uint32_t{0});
  EXPECT_TRUE(refused_saying(read_all(container_), "section 1: no values"));
  poke(container_.section(1), kCountOffset, circuit_.n_wires());
  container_.section(2).pop_back();
  EXPECT_TRUE(refused_saying(read_all(container_), "section 2: length 351, expected 352 for the 11 values"));
}

TEST_P(WitnessFileTest, refuses_a_first_value_that_is_not_one) {
  for (const std::uint64_t value : {0U, 2U}) {
    poke(container_.section(2), 0, BigInt<4>::from_u64(value));
    EXPECT_TRUE(refused_saying(read_all(container_), "witness.wtns: section 2: value 0 is not 1"));
  }
}

TEST_P(WitnessFileTest, names_the_first_value_that_is_not_reduced) {
  poke(container_.section(2), 10 * kScalarBytes, BigInt<4>{{~0U, ~0U, ~0U, ~std::uint64_t{0}}});
  poke(container_.section(2), 4 * kScalarBytes, scalar_modulus(GetParam()));
  EXPECT_TRUE(refused_saying(read_all(container_), "section 2: value 4 is not below the prime of " + curve_));
}

TEST_P(WitnessFileTest, takes_the_largest_reduced_value) {
  BigInt<4> largest = scalar_modulus(GetParam());
  --largest.limbs[0];
  poke(container_.section(2), 4 * kScalarBytes, largest);
  EXPECT_TRUE(read_all(container_).is_ok());
}

TEST_P(WitnessFileTest, tells_whether_it_fits_a_key) {
  const auto file = open(container_);
  ASSERT_TRUE(file.is_ok());
  EXPECT_TRUE(file->check_fits(GetParam(), circuit_.n_wires()).is_ok());
  EXPECT_TRUE(refused_saying(file->check_fits(GetParam(), 99), "witness.wtns: 11 values, the key wants 99"));
  const CurveId other = GetParam() == CurveId::kBn254 ? CurveId::kBls12_381 : CurveId::kBn254;
  EXPECT_TRUE(refused_saying(file->check_fits(other, circuit_.n_wires()),
                             "witness.wtns: a witness for " + curve_ + ", the key is for "));
}

TEST_P(WitnessFileTest, cut_short_after_opening_is_an_error) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("w.wtns");
  const Bytes bytes = container_.bytes();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  const auto file = WitnessFile::open(path);
  ASSERT_TRUE(file.is_ok()) << file.status().message();
  std::filesystem::resize_file(path, bytes.size() - 1);
  Bytes values(std::size_t{file->count()} * kScalarBytes);
  EXPECT_TRUE(refused_saying(file->read_values(values), "w.wtns: ends at byte"));
}

}  // namespace
}  // namespace baton
