#include "shared/formats/proving_key_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "shared/formats/prime_field.hpp"
#include "tests/support/expect_status.hpp"
#include "tests/support/sample_circuit.hpp"

namespace baton {
namespace {

using test::Bytes;
using test::poke;
using test::refused_saying;
using test::SampleContainer;

constexpr std::uint32_t kLength = 9;  // constraints; with 2 public signals 12 rows, so a domain of 16

Result<ProvingKeyFile> open(const Bytes& bytes) {
  return ProvingKeyFile::from_image(FileImage::from_bytes("key.zkey", bytes));
}
Result<ProvingKeyFile> open(const SampleContainer& container) {
  return open(container.bytes());
}

class ProvingKeyFileTest : public ::testing::TestWithParam<CurveId> {
 protected:
  [[nodiscard]] std::size_t g1() const { return g1_bytes(GetParam()); }
  [[nodiscard]] std::size_t g2() const { return g2_bytes(GetParam()); }
  [[nodiscard]] std::size_t n_vars_at() const { return test::n_vars_offset(GetParam()); }
  [[nodiscard]] std::size_t n_public_at() const { return n_vars_at() + 4; }
  [[nodiscard]] std::size_t domain_at() const { return n_vars_at() + 8; }
  [[nodiscard]] std::size_t points_at() const { return n_vars_at() + 12; }

  /// The key with a changed field in its header.
  template <class Value>
  SampleContainer with_header(std::size_t offset, const Value& value) {
    SampleContainer changed = container_;
    poke(changed.section(2), offset, value);
    return changed;
  }

  test::SampleCircuit circuit_ = test::chain_circuit(GetParam(), kLength);
  SampleContainer container_ = test::sample_key(circuit_);
  std::string curve_ = std::string(curve_name(GetParam()));
};

INSTANTIATE_TEST_SUITE_P(BothCurves, ProvingKeyFileTest,
                         ::testing::Values(CurveId::kBn254, CurveId::kBls12_381));

TEST_P(ProvingKeyFileTest, gives_counts_and_sections) {
  const auto key = open(container_);
  ASSERT_TRUE(key.is_ok()) << key.status().message();
  EXPECT_EQ(key->header().curve, GetParam());
  EXPECT_EQ(key->header().n_vars, 11U);
  EXPECT_EQ(key->header().n_public, 2U);
  EXPECT_EQ(key->header().domain_size, 16U);
  EXPECT_EQ(key->view().a.size(), 11 * g1());
  EXPECT_EQ(key->view().b1.size(), 11 * g1());
  EXPECT_EQ(key->view().b2.size(), 11 * g2());
  EXPECT_EQ(key->view().c.size(), 8 * g1());
  EXPECT_EQ(key->view().h.size(), 16 * g1());
  EXPECT_EQ(key->ic().size(), 3 * g1());
  EXPECT_EQ(key->contributions(), 1U);
  EXPECT_FALSE(key->is_forgeable());
  EXPECT_TRUE(std::ranges::equal(key->view().b2, container_.section(7)));
}

TEST_P(ProvingKeyFileTest, gives_the_points_of_the_header_in_their_order) {
  const auto key = open(container_);
  ASSERT_TRUE(key.is_ok());
  const Bytes& section = container_.section(2);
  const auto at = [&](std::size_t offset, const auto& point, std::size_t size) {
    return std::equal(point.begin(), point.begin() + static_cast<std::ptrdiff_t>(size),
                      section.begin() + static_cast<std::ptrdiff_t>(points_at() + offset));
  };
  EXPECT_TRUE(at(0, key->header().alpha1, g1()));
  EXPECT_TRUE(at(g1(), key->header().beta1, g1()));
  EXPECT_TRUE(at(2 * g1(), key->header().beta2, g2()));
  EXPECT_TRUE(at(2 * g1() + g2(), key->header().gamma2, g2()));
  EXPECT_TRUE(at(2 * g1() + 2 * g2(), key->header().delta1, g1()));
  EXPECT_TRUE(at(3 * g1() + 2 * g2(), key->header().delta2, g2()));
}

TEST_P(ProvingKeyFileTest, gives_the_verification_key) {
  const auto key = open(container_);
  ASSERT_TRUE(key.is_ok());
  const AnyVerificationKey any = key->verification_key();
  EXPECT_EQ(curve_of(any), GetParam());
  std::visit(
      [&](const auto& points) {
        EXPECT_EQ(points.ic.size(), 3U);
        EXPECT_TRUE(points.delta2 == -points.gamma2);
        EXPECT_TRUE(points.beta2 == points.gamma2);
      },
      any);
}

TEST_P(ProvingKeyFileTest, takes_the_order_of_a_fresh_setup) {
  SampleContainer fresh = container_;
  fresh.sections.clear();
  for (const std::uint32_t id : {1U, 2U, 4U, 3U, 9U, 8U, 5U, 6U, 7U, 10U}) {
    fresh.sections.push_back({id, container_.section(id)});
  }
  const auto key = open(fresh);
  ASSERT_TRUE(key.is_ok()) << key.status().message();
  EXPECT_TRUE(std::ranges::equal(key->view().h, container_.section(9)));
}

TEST_P(ProvingKeyFileTest, refuses_every_truncation) {
  const Bytes whole = container_.bytes();
  for (std::size_t size = 0; size < whole.size(); size += size < 300 ? 1 : 37) {
    EXPECT_FALSE(open(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))).is_ok())
        << size;
  }
}

TEST_P(ProvingKeyFileTest, names_a_missing_or_repeated_section) {
  for (std::uint32_t id = 1; id <= 9; ++id) {
    SampleContainer without = container_;
    without.remove(id);
    EXPECT_TRUE(refused_saying(open(without), "key.zkey: section " + std::to_string(id) + " is missing"));
    SampleContainer twice = container_;
    twice.sections.insert(twice.sections.begin(), {id, twice.section(id)});
    EXPECT_TRUE(refused_saying(open(twice), "key.zkey: section " + std::to_string(id) + " occurs twice"));
  }
}

TEST_P(ProvingKeyFileTest, names_other_protocols) {
  const auto with_protocol = [&](std::uint32_t protocol) {
    SampleContainer other = container_;
    poke(other.section(1), 0, protocol);
    return open(other);
  };
  EXPECT_TRUE(refused_saying(with_protocol(2), "key.zkey: section 1: a PLONK key, expected Groth16"));
  EXPECT_TRUE(refused_saying(with_protocol(10), "key.zkey: section 1: an FFLONK key, expected Groth16"));
  EXPECT_TRUE(refused_saying(with_protocol(7), "key.zkey: section 1: unknown protocol 7"));
  container_.section(1).clear();
  EXPECT_TRUE(refused_saying(open(container_), "key.zkey: section 1: length 0, expected 4"));
}

TEST_P(ProvingKeyFileTest, names_other_containers_and_versions) {
  SampleContainer other = container_;
  other.magic = "ptau";
  EXPECT_TRUE(refused_saying(open(other), "not a zkey file: it begins with \"ptau\""));
  other = container_;
  other.version = 0;
  EXPECT_TRUE(refused_saying(open(other), "unsupported zkey version 0, expected 1"));
}

TEST_P(ProvingKeyFileTest, refuses_primes_that_do_not_belong_together) {
  const std::size_t r_at = n_vars_at() - kScalarBytes;
  const CurveId other = GetParam() == CurveId::kBn254 ? CurveId::kBls12_381 : CurveId::kBn254;
  EXPECT_TRUE(refused_saying(open(with_header(r_at, scalar_modulus(other))),
                             "section 2: prime q is that of " + curve_ + ", prime r that of "));
  EXPECT_TRUE(refused_saying(open(with_header(r_at, std::uint64_t{3})), "section 2: prime r: unknown prime"));
  EXPECT_TRUE(refused_saying(open(with_header(4, std::uint64_t{3})), "section 2: prime q: unknown prime"));
  for (const std::uint32_t n8 : {0U, 40U, 64U, 0x7fffffffU}) {
    EXPECT_TRUE(refused_saying(open(with_header(0, n8)), "key.zkey: section 2: prime q: "));
    EXPECT_TRUE(refused_saying(open(with_header(r_at - 4, n8)), "key.zkey: section 2: prime r: "));
  }
}

TEST_P(ProvingKeyFileTest, refuses_a_header_of_another_length) {
  SampleContainer longer = container_;
  longer.section(2).push_back(std::byte{});
  const std::string expected =
      GetParam() == CurveId::kBn254 ? "length 661, expected 660" : "length 965, expected 964";
  EXPECT_TRUE(refused_saying(open(longer), "key.zkey: section 2: " + expected));
  container_.section(2).resize(points_at());
  EXPECT_TRUE(refused_saying(open(container_), "key.zkey: section 2: length "));
}

TEST_P(ProvingKeyFileTest, refuses_counts_that_contradict_the_sections) {
  EXPECT_TRUE(
      refused_saying(open(with_header(n_vars_at(), std::uint32_t{0})), "nPublic 2 is not below nVars 0"));
  EXPECT_TRUE(
      refused_saying(open(with_header(n_vars_at(), std::uint32_t{12})),
                     "key.zkey: section 5: " + std::to_string(11 * g1()) + " bytes (11 points), expected "));
  EXPECT_TRUE(refused_saying(open(with_header(n_vars_at(), 0xffffffffU)), "(4294967295 points)"));
  EXPECT_TRUE(refused_saying(open(with_header(n_public_at(), std::uint32_t{0})), "key.zkey: section 3: "));
  EXPECT_TRUE(refused_saying(open(with_header(n_public_at(), std::uint32_t{11})),
                             "nPublic 11 is not below nVars 11"));
  EXPECT_TRUE(
      refused_saying(open(with_header(n_public_at(), 0xffffffffU)), "nPublic 4294967295 is not below"));
}

TEST_P(ProvingKeyFileTest, refuses_a_domain_that_no_prover_can_use) {
  for (const std::uint32_t size : {0U, 1U, 3U, 15U, 0xffffffffU}) {
    EXPECT_TRUE(refused_saying(open(with_header(domain_at(), size)),
                               "section 2: domain size " + std::to_string(size) + " is not a power of two"));
  }
  EXPECT_TRUE(refused_saying(open(with_header(domain_at(), std::uint32_t{32})), "key.zkey: section 9: "));
  if (GetParam() == CurveId::kBn254) {
    for (const std::uint32_t size : {1U << 28U, 1U << 31U}) {
      EXPECT_TRUE(
          refused_saying(open(with_header(domain_at(), size)), "is beyond 2^27, the largest for bn128"));
    }
  }
}

TEST_P(ProvingKeyFileTest, refuses_point_sections_of_another_length) {
  for (const std::uint32_t id : {3U, 5U, 6U, 7U, 8U, 9U}) {
    const std::size_t point = id == 7 ? g2() : g1();
    const std::size_t whole = container_.section(id).size();
    for (const std::size_t size : {whole - point, whole + point, whole - 1, std::size_t{0}}) {
      SampleContainer broken = container_;
      broken.section(id).resize(size);
      EXPECT_TRUE(refused_saying(
          open(broken), "key.zkey: section " + std::to_string(id) + ": " + std::to_string(size) + " bytes (" +
                            std::to_string(size / point) + " points), expected " + std::to_string(whole)));
    }
  }
}

TEST_P(ProvingKeyFileTest, refuses_a_coefficient_count_that_contradicts_the_section) {
  for (const std::uint32_t count : {0U, 1U, 0xffffffffU}) {
    poke(container_.section(4), 0, count);
    EXPECT_TRUE(refused_saying(open(container_), "for " + std::to_string(count) + " coefficients"));
  }
  container_.section(4).resize(2);
  EXPECT_TRUE(refused_saying(open(container_), "key.zkey: section 4: length 2"));
}

TEST_P(ProvingKeyFileTest, names_the_header_point_that_is_wrong) {
  const std::vector<std::pair<std::string, std::size_t>> points = {{"alpha1", 0},
                                                                   {"beta1", g1()},
                                                                   {"beta2", 2 * g1()},
                                                                   {"gamma2", 2 * g1() + g2()},
                                                                   {"delta1", 2 * g1() + 2 * g2()},
                                                                   {"delta2", 3 * g1() + 2 * g2()}};
  for (const auto& [name, offset] : points) {
    SampleContainer broken = container_;
    Bytes& header = broken.section(2);
    header[points_at() + offset] ^= std::byte{1};
    EXPECT_TRUE(
        refused_saying(open(broken), "key.zkey: section 2: " + name + ": the point is not on the curve"));
    const std::size_t size = name.back() == '1' ? g1() : g2();
    const auto begin = header.begin() + static_cast<std::ptrdiff_t>(points_at() + offset);
    std::fill(begin, begin + static_cast<std::ptrdiff_t>(size), std::byte{0xff});
    EXPECT_TRUE(refused_saying(open(broken), "section 2: " + name + ": a coordinate is not below q"));
    std::fill(begin, begin + static_cast<std::ptrdiff_t>(size), std::byte{0});
    EXPECT_TRUE(refused_saying(open(broken), "section 2: " + name + ": the point at infinity"));
  }
}

TEST_P(ProvingKeyFileTest, names_the_ic_point_that_is_wrong) {
  container_.section(3)[2 * g1()] ^= std::byte{1};
  EXPECT_TRUE(
      refused_saying(open(container_), "key.zkey: section 3: point 2: the point is not on the curve"));
}

TEST_P(ProvingKeyFileTest, flags_a_key_without_contributions_as_forgeable) {
  SampleContainer fresh = container_;
  fresh.section(10) = Bytes(68);
  auto key = open(fresh);
  ASSERT_TRUE(key.is_ok());
  EXPECT_EQ(key->contributions(), 0U);
  EXPECT_TRUE(key->is_forgeable());
}

TEST_P(ProvingKeyFileTest, flags_a_known_delta_as_forgeable_whatever_the_ceremony_says) {
  Bytes& header = container_.section(2);
  const auto gamma = header.begin() + static_cast<std::ptrdiff_t>(points_at() + 2 * g1() + g2());
  std::copy(gamma, gamma + static_cast<std::ptrdiff_t>(g2()),
            header.begin() + static_cast<std::ptrdiff_t>(points_at() + 3 * g1() + 2 * g2()));
  const auto key = open(container_);
  ASSERT_TRUE(key.is_ok());
  EXPECT_TRUE(key->is_forgeable());
}

TEST_P(ProvingKeyFileTest, takes_a_key_without_ceremony_and_refuses_a_cut_one) {
  SampleContainer without = container_;
  without.remove(10);
  const auto key = open(without);
  ASSERT_TRUE(key.is_ok());
  EXPECT_FALSE(key->contributions().has_value());
  container_.section(10).resize(67);
  EXPECT_TRUE(refused_saying(open(container_), "key.zkey: section 10: length 67, expected at least 68"));
}

}  // namespace
}  // namespace baton
