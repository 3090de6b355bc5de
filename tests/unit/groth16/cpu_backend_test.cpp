#include "shared/groth16/cpu_backend.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <variant>
#include <vector>

#include "shared/groth16/proof_assembly.hpp"
#include "shared/groth16/verify.hpp"
#include "tests/unit/groth16/toy_circuit.hpp"

namespace baton {
namespace {

constexpr KeyId kKey = 5;

template <class Curve>
class CpuBackendTest : public testing::Test {
 protected:
  ProofSums sums_of(const ToyCircuit<Curve>& circuit, bool with_c) {
    int uploaded = 0;
    auto sums = sut_.prove(
        0, kKey, circuit.input(with_c), [&] { ++uploaded; }, timings_);
    EXPECT_TRUE(sums.is_ok()) << sums.status().to_string();
    EXPECT_EQ(uploaded, 1);
    return sums.value();
  }

  static bool is_valid(const ToyCircuit<Curve>& circuit, const ProofSums& sums) {
    const auto blinding = random_blinding(Curve::kId);
    const auto proof = assemble_proof(circuit.header(), sums, blinding.value());
    return Verifier<Curve>::create(circuit.verification_key())
        .value()
        .verify(std::get<Proof<Curve>>(proof.value()), circuit.public_signals())
        .value()
        .valid;
  }

  CpuBackend sut_{CpuBackendOptions{2, 0}};
  ProofTimings timings_;
};

using Curves = testing::Types<Bn254, Bls12_381>;
TYPED_TEST_SUITE(CpuBackendTest, Curves);

TYPED_TEST(CpuBackendTest, ProofsOfAllSmallShapesVerify) {
  KeyId id = 0;
  for (const auto& [constraints, publics] :
       {std::pair{0U, 0U}, {0U, 1U}, {1U, 0U}, {1U, 1U}, {2U, 1U}, {5U, 3U}, {14U, 1U}, {15U, 1U}}) {
    const ToyCircuit<TypeParam> circuit(constraints, publics, 1);
    ASSERT_TRUE(this->sut_.load_key(++id, circuit.view()).is_ok());
    const auto sums = this->sut_.prove(
        id % 2, id, circuit.input(true), [] {}, this->timings_);
    ASSERT_TRUE(sums.is_ok());
    EXPECT_TRUE(this->is_valid(circuit, sums.value())) << constraints << " constraints, " << publics;
  }
}

TYPED_TEST(CpuBackendTest, DerivedCGivesTheSameSumsAsGivenC) {
  const ToyCircuit<TypeParam> circuit(20, 2, 2);
  ASSERT_TRUE(this->sut_.load_key(kKey, circuit.view()).is_ok());
  EXPECT_EQ(this->sums_of(circuit, true), this->sums_of(circuit, false));
}

TYPED_TEST(CpuBackendTest, ProofOfAWrongWitnessDoesNotVerify) {
  ToyCircuit<TypeParam> circuit(6, 1, 3);
  ASSERT_TRUE(this->sut_.load_key(kKey, circuit.view()).is_ok());
  circuit.spoil_last_wire();
  EXPECT_FALSE(this->is_valid(circuit, this->sums_of(circuit, true)));
}

TYPED_TEST(CpuBackendTest, TwoLanesAtOnceGiveTheSumsOfOne) {
  const ToyCircuit<TypeParam> circuit(40, 2, 4);
  ASSERT_TRUE(this->sut_.load_key(kKey, circuit.view()).is_ok());
  const ProofSums expected = this->sums_of(circuit, true);
  std::atomic<int> equal = 0;
  const auto lane = [&](unsigned index) {
    ProofTimings timings;
    for (int i = 0; i < 10; ++i) {
      const auto sums = this->sut_.prove(
          index, kKey, circuit.input(i % 2 == 0), [] {}, timings);
      equal += sums.is_ok() && sums.value() == expected ? 1 : 0;
    }
  };
  std::thread other(lane, 1);
  lane(0);
  other.join();
  EXPECT_EQ(equal, 20);
}

TYPED_TEST(CpuBackendTest, KeysAreCopied) {
  auto circuit = std::make_unique<ToyCircuit<TypeParam>>(9, 1, 5);
  ASSERT_TRUE(this->sut_.load_key(kKey, circuit->view()).is_ok());
  circuit = nullptr;
  const ToyCircuit<TypeParam> same(9, 1, 5);
  EXPECT_TRUE(this->is_valid(same, this->sums_of(same, true)));
}

TYPED_TEST(CpuBackendTest, ValuesThatAreNotReducedAreRefusedBeforeUploaded) {
  using Fr = typename TypeParam::Fr;
  const ToyCircuit<TypeParam> circuit(3, 1, 6);
  ASSERT_TRUE(this->sut_.load_key(kKey, circuit.view()).is_ok());
  const auto modulus = Fr::modulus();
  for (int section = 0; section < 4; ++section) {
    ProofInput input = circuit.input(true);
    std::span<const std::byte>* spans[] = {&input.w, &input.a, &input.b, &input.c};
    std::vector<std::byte> bytes(spans[section]->begin(), spans[section]->end());
    std::memcpy(bytes.data() + bytes.size() - sizeof modulus, &modulus, sizeof modulus);
    *spans[section] = bytes;
    int uploaded = 0;
    const auto sums = this->sut_.prove(
        0, kKey, input, [&] { ++uploaded; }, this->timings_);
    EXPECT_EQ(sums.status().code(), StatusCode::kCorrupt);
    EXPECT_EQ(uploaded, 0);
  }
}

TYPED_TEST(CpuBackendTest, SectionsOfWrongLengthAreRefusedByName) {
  const ToyCircuit<TypeParam> circuit(3, 1, 6);
  ASSERT_TRUE(this->sut_.load_key(kKey, circuit.view()).is_ok());
  ProofInput input = circuit.input(true);
  input.b = input.b.first(input.b.size() - 32);
  const auto sums = this->sut_.prove(
      0, kKey, input, [] {}, this->timings_);
  EXPECT_EQ(sums.status().code(), StatusCode::kInvalidInput);
  EXPECT_NE(sums.status().message().find("section b"), std::string::npos) << sums.status().message();
}

TYPED_TEST(CpuBackendTest, UnknownKeysAreNotFound) {
  const ToyCircuit<TypeParam> circuit(3, 1, 6);
  const auto sums = this->sut_.prove(
      0, 77, circuit.input(true), [] {}, this->timings_);
  EXPECT_EQ(sums.status().code(), StatusCode::kNotFound);
}

TYPED_TEST(CpuBackendTest, TimingsSayWhatWasCopiedAndComputed) {
  const ToyCircuit<TypeParam> circuit(30, 1, 7);
  ASSERT_TRUE(this->sut_.load_key(kKey, circuit.view()).is_ok());
  this->sums_of(circuit, true);
  EXPECT_EQ(this->timings_.copy_bytes, 32U * (33 + 3 * circuit.domain()));
  EXPECT_GT(this->timings_.compute_ms, 0);
  EXPECT_GT(this->timings_.msm_b2_ms, 0);
  EXPECT_GE(this->timings_.compute_ms, this->timings_.ntt_ms);
}

}  // namespace
}  // namespace baton
