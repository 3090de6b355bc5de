#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "shared/segments/slot_reader.hpp"
#include "shared/segments/slot_writer.hpp"
#include "tests/support/temporary_directory.hpp"

namespace baton {
namespace {

constexpr CircuitShape kShape{5, 2, 4, true};
constexpr SlotIdentity kIdentity{99, 3, 12, 5 * 4096};
constexpr Digest kDigest{1, 2, 3};
constexpr Digest kCircuit{9, 8, 7};

class SlotTest : public ::testing::Test {
 protected:
  FillDescription fill(Generation generation = 6) const { return {generation, 17, kCircuit, 1, kShape}; }
  ProveExpectation expectation() const { return {6, 17, kDigest, kCircuit, 1}; }
  std::span<std::byte> bytes() const { return segment_.writable_bytes(); }
  SlotHeader& header() const { return *reinterpret_cast<SlotHeader*>(bytes().data()); }

  void write_slot(const FillDescription& description) const {
    SlotWriter writer = SlotWriter::begin(bytes(), kIdentity, description).value();
    for (std::size_t i = 0; i < kSectionCount; ++i) {
      const auto section = static_cast<SlotSection>(i);
      const std::span<std::byte> out = writer.section(section);
      std::memset(out.data(), static_cast<int>(i + 1), out.size());
      writer.set_checksum(section, hash64(out));
    }
    writer.seal(kDigest);
  }
  Result<SlotReader> read() const { return SlotReader::open(bytes(), kIdentity, expectation()); }

  test::TemporaryDirectory directory_{"/dev/shm"};
  Segment segment_ = create_slot_segment(directory_.path(), kIdentity, 1).value();
};

TEST_F(SlotTest, SealedSlotIsReadBack) {
  write_slot(fill());
  const SlotReader reader = read().value();
  EXPECT_EQ(reader.shape(), kShape);
  EXPECT_EQ(reader.section(SlotSection::kW).size(), 5 * 32U);
  EXPECT_EQ(reader.section(SlotSection::kC).size(), 4 * 32U);
  EXPECT_EQ(reader.section(SlotSection::kB)[31], std::byte{3});
  EXPECT_TRUE(reader.verify_checksums().is_ok());
}

TEST_F(SlotTest, DerivedCHasNoSection) {
  FillDescription description = fill();
  description.shape.has_c = false;
  write_slot(description);
  const SlotReader reader = read().value();
  EXPECT_FALSE(reader.shape().has_c);
  EXPECT_TRUE(reader.section(SlotSection::kC).empty());
  EXPECT_TRUE(reader.verify_checksums().is_ok());
}

TEST_F(SlotTest, UnsealedSlotIsRefused) {
  EXPECT_EQ(read().status().code(), StatusCode::kCorrupt);
  write_slot(fill());
  ASSERT_TRUE(read().is_ok());
  const auto begun = SlotWriter::begin(bytes(), kIdentity, fill(8));
  ASSERT_TRUE(begun.is_ok());
  EXPECT_EQ(read().status().code(), StatusCode::kCorrupt);
}

TEST_F(SlotTest, SealOfAnotherFillIsRefused) {
  write_slot(fill(5));
  EXPECT_EQ(read().status().code(), StatusCode::kCorrupt);
}

TEST_F(SlotTest, SlotOfAnotherJobInputOrCircuitIsRefused) {
  write_slot(fill());
  const auto code = [&](auto change) {
    ProveExpectation expected = expectation();
    change(expected);
    return SlotReader::open(bytes(), kIdentity, expected).status().code();
  };
  EXPECT_EQ(code([](auto& e) { e.job = 18; }), StatusCode::kCorrupt);
  EXPECT_EQ(code([](auto& e) { e.input_digest[15] = 1; }), StatusCode::kCorrupt);
  EXPECT_EQ(code([](auto& e) { e.circuit_fingerprint[0] = 1; }), StatusCode::kCorrupt);
  EXPECT_EQ(code([](auto& e) { e.curve = 2; }), StatusCode::kCorrupt);
  EXPECT_EQ(code([](auto& e) { e.fill_generation = 0; }), StatusCode::kCorrupt);
  EXPECT_EQ(code([](auto&) {}), StatusCode::kOk);
}

TEST_F(SlotTest, EveryAlteredHeaderFieldIsRefused) {
  const std::vector<std::pair<std::string, std::function<void(SlotHeader&)>>> changes = {
      {"magic", [](SlotHeader& h) { h.magic ^= 1; }},
      {"layout_version", [](SlotHeader& h) { h.layout_version += 1; }},
      {"slot", [](SlotHeader& h) { h.slot += 1; }},
      {"build_fingerprint", [](SlotHeader& h) { h.build_fingerprint += 1; }},
      {"session", [](SlotHeader& h) { h.session += 1; }},
      {"capacity", [](SlotHeader& h) { h.capacity += 4096; }},
      {"segment_id", [](SlotHeader& h) { h.segment_id += 1; }},
      {"n_vars", [](SlotHeader& h) { h.n_vars += 1; }},
      {"n_vars huge", [](SlotHeader& h) { h.n_vars = ~0U; }},
      {"n_public", [](SlotHeader& h) { h.n_public = h.n_vars; }},
      {"domain_size", [](SlotHeader& h) { h.domain_size = 3; }},
      {"domain_size larger", [](SlotHeader& h) { h.domain_size = 1U << 28; }},
      {"flags", [](SlotHeader& h) { h.flags |= kFlagDerivedC; }},
      {"unknown flag", [](SlotHeader& h) { h.flags |= 2; }},
      {"section_count", [](SlotHeader& h) { h.section_count = 3; }},
      {"offset", [](SlotHeader& h) { h.sections[1].offset = 0; }},
      {"bytes", [](SlotHeader& h) { h.sections[2].bytes += 32; }},
      {"seal", [](SlotHeader& h) { h.seal += 1; }},
  };
  for (const auto& [name, change] : changes) {
    write_slot(fill());
    const SlotHeader good = header();
    change(header());
    const StatusCode code = read().status().code();
    EXPECT_TRUE(code == StatusCode::kCorrupt || code == StatusCode::kVersionMismatch) << name;
    header() = good;
    EXPECT_TRUE(read().is_ok()) << name;
  }
}

TEST_F(SlotTest, FlippedBitIsFoundByItsSectionsChecksum) {
  write_slot(fill());
  const SlotReader reader = read().value();
  const auto section = reader.section(SlotSection::kB);
  bytes()[static_cast<std::size_t>(section.data() - bytes().data()) + 5] ^= std::byte{1};
  const Status status = reader.verify_checksums();
  EXPECT_EQ(status.code(), StatusCode::kCorrupt);
  EXPECT_NE(status.message().find("section b"), std::string::npos);
}

TEST_F(SlotTest, CircuitThatDoesNotFitIsRefused) {
  FillDescription description = fill();
  description.shape.n_vars = 4096;
  EXPECT_EQ(SlotWriter::begin(bytes(), kIdentity, description).status().code(), StatusCode::kNoSpace);
}

TEST_F(SlotTest, SegmentIsOpenedOnlyAsTheSlotThatItIs) {
  EXPECT_TRUE(open_slot_segment(directory_.path(), kIdentity, MappingAccess::kReadOnly).is_ok());
  header().slot += 1;
  EXPECT_EQ(open_slot_segment(directory_.path(), kIdentity, MappingAccess::kReadOnly).status().code(),
            StatusCode::kCorrupt);
}

}  // namespace
}  // namespace baton
