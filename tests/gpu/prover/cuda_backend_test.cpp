#include "cuda/prover/cuda_backend.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/gpu/support/gpu_test.hpp"
#include "tests/gpu/support/known_proof.hpp"

namespace baton::test {
namespace {

using fixture::Shape;

std::unique_ptr<ProverBackend> make_backend(const CudaOptions& options = {}) {
  auto backend = make_cuda_backend(options);
  EXPECT_TRUE(backend.is_ok()) << backend.status().to_string();
  return backend.is_ok() ? std::move(backend).value() : nullptr;
}

template <class Curve>
void expect_sums(ProverBackend& backend, unsigned lane, KeyId id, const KnownProof<Curve>& proof,
                 bool derive_c) {
  ProofTimings timings;
  int uploads = 0;
  const auto sums = backend.prove(
      lane, id, proof.input(derive_c), [&] { ++uploads; }, timings);
  ASSERT_TRUE(sums.is_ok()) << sums.status().to_string();
  EXPECT_TRUE(*sums == proof.expected());
  EXPECT_EQ(uploads, 1);
  EXPECT_GT(timings.compute_ms, 0);
}

template <class Curve>
class CudaProof : public testing::Test {};
using Curves = testing::Types<Bn254, Bls12_381>;
TYPED_TEST_SUITE(CudaProof, Curves);

TYPED_TEST(CudaProof, SumsOfEveryShapeAreThoseOfTheKnownSecrets) {
  BATON_SKIP_WITHOUT_DEVICE();
  const auto sut = make_backend();
  ASSERT_NE(sut, nullptr);
  KeyId id = 1;
  for (const Shape shape : {Shape::kChain, Shape::kBits, Shape::kDense}) {
    for (const std::size_t constraints : {1U, 2U, 5U, 300U, 1022U, 5000U, 65534U}) {
      SCOPED_TRACE(std::to_string(static_cast<int>(shape)) + " of " + std::to_string(constraints));
      const KnownProof<TypeParam> proof(shape, constraints, 1, id);
      const auto range = sut->register_range(proof.slot());
      ASSERT_TRUE(range.is_ok());
      const Status loaded = sut->load_key(id, proof.key());
      ASSERT_TRUE(loaded.is_ok()) << loaded.to_string();
      for (const bool derive_c : {true, false, true}) {
        expect_sums(*sut, id % 2, id, proof, derive_c);
      }
      sut->drop_key(id++);
    }
  }
}

TEST(CudaBackend, LanesProveDifferentCircuitsAtOnce) {
  BATON_SKIP_WITHOUT_DEVICE();
  const auto sut = make_backend({.device = {}, .lanes = 3, .vram_budget_bytes = 0});
  ASSERT_NE(sut, nullptr);
  const KnownProof<Bn254> chain(Shape::kChain, 3000, 1, 1);
  const KnownProof<Bn254> bits(Shape::kBits, 9000, 1, 2);
  const KnownProof<Bls12_381> other(Shape::kChain, 2000, 3, 3);
  ASSERT_TRUE(sut->load_key(1, chain.key()).is_ok());
  ASSERT_TRUE(sut->load_key(2, bits.key()).is_ok());
  std::atomic<int> wrong{0};
  const auto work = [&](unsigned lane) {
    for (int i = 0; i < 40; ++i) {
      ProofTimings timings;
      const KeyId id = (lane + static_cast<unsigned>(i)) % 2 + 1;
      const auto sums = id == 1 ? sut->prove(
                                      lane, 1, chain.input(true), [] {}, timings)
                                : sut->prove(
                                      lane, 2, bits.input(false), [] {}, timings);
      const ProofSums& expected = id == 1 ? chain.expected() : bits.expected();
      wrong += sums.is_ok() && *sums == expected ? 0 : 1;
    }
  };
  std::vector<std::jthread> lanes;
  for (unsigned lane = 0; lane < 3; ++lane) {
    lanes.emplace_back(work, lane);
  }
  // A key is loaded, and work memory exchanged, while the others prove.
  const Status loaded = sut->load_key(3, other.key());
  lanes.clear();
  EXPECT_EQ(wrong, 0);
  ASSERT_TRUE(loaded.is_ok()) << loaded.to_string();
  expect_sums(*sut, 2, 3, other, true);
}

TEST(CudaBackend, UnregisteredInputIsStagedAndRegisteredInputIsNot) {
  BATON_SKIP_WITHOUT_DEVICE();
  const auto sut = make_backend();
  ASSERT_NE(sut, nullptr);
  const KnownProof<Bn254> proof(Shape::kChain, 200000, 1, 1);
  ASSERT_TRUE(sut->load_key(1, proof.key()).is_ok());
  expect_sums(*sut, 0, 1, proof, false);
  EXPECT_NE(sut->description().find("staged"), std::string::npos) << sut->description();
  const auto range = sut->register_range(proof.slot());
  ASSERT_TRUE(range.is_ok());
  EXPECT_NE(sut->description().find("1 registered range"), std::string::npos) << sut->description();
  expect_sums(*sut, 0, 1, proof, false);
}

TEST(CudaBackend, KeysGoLeastRecentlyUsedFirstWhenTheBudgetIsShort) {
  BATON_SKIP_WITHOUT_DEVICE();
  const KnownProof<Bn254> proof(Shape::kChain, 30000, 1, 1);
  const auto probe = make_backend();
  ASSERT_NE(probe, nullptr);
  ASSERT_TRUE(probe->load_key(1, proof.key()).is_ok());
  const std::uint64_t bytes = probe->resident_keys().at(0).bytes;
  const auto sut = make_backend({.device = {}, .lanes = 2, .vram_budget_bytes = 6 * bytes});
  ASSERT_NE(sut, nullptr);
  for (KeyId id = 1; id <= 12; ++id) {
    const Status loaded = sut->load_key(id, proof.key());
    ASSERT_TRUE(loaded.is_ok()) << loaded.to_string();
    if (sut->has_key(1)) {
      expect_sums(*sut, 0, 1, proof, true);
    }
    expect_sums(*sut, 1, id, proof, true);
  }
  EXPECT_TRUE(sut->has_key(1));  // used every time
  EXPECT_FALSE(sut->has_key(2));
  ProofTimings timings;
  const auto gone = sut->prove(
      0, 2, proof.input(true), [] {}, timings);
  EXPECT_EQ(gone.status().code(), StatusCode::kNotFound);
}

TEST(CudaBackend, AKeyThatCannotFitIsRefusedAndTheOthersGoOn) {
  BATON_SKIP_WITHOUT_DEVICE();
  const KnownProof<Bn254> small(Shape::kChain, 1000, 1, 1);
  const KnownProof<Bn254> large(Shape::kChain, 200000, 1, 1);
  const auto sut = make_backend({.device = {}, .lanes = 2, .vram_budget_bytes = 100U << 20});
  ASSERT_NE(sut, nullptr);
  ASSERT_TRUE(sut->load_key(1, small.key()).is_ok());
  const Status refused = sut->load_key(2, large.key());
  EXPECT_EQ(refused.code(), StatusCode::kNoSpace) << refused.to_string();
  ASSERT_TRUE(sut->load_key(1, small.key()).is_ok());
  expect_sums(*sut, 0, 1, small, true);
}

TEST(CudaBackend, InputOfAnotherSizeIsRefused) {
  BATON_SKIP_WITHOUT_DEVICE();
  const auto sut = make_backend();
  ASSERT_NE(sut, nullptr);
  const KnownProof<Bn254> proof(Shape::kChain, 100, 1, 1);
  ASSERT_TRUE(sut->load_key(1, proof.key()).is_ok());
  ProofInput input = proof.input(true);
  input.b = input.b.first(input.b.size() - 32);
  ProofTimings timings;
  int uploads = 0;
  const auto sums = sut->prove(
      0, 1, input, [&] { ++uploads; }, timings);
  EXPECT_EQ(sums.status().code(), StatusCode::kInvalidInput);
  EXPECT_EQ(uploads, 0);
}

TEST(CudaBackend, UnknownDevicesAreNotFound) {
  BATON_SKIP_WITHOUT_DEVICE();
  EXPECT_EQ(make_cuda_backend({.device = "GPU-0", .lanes = 2, .vram_budget_bytes = 0}).status().code(),
            StatusCode::kNotFound);
  EXPECT_EQ(make_cuda_backend({.device = "99", .lanes = 2, .vram_budget_bytes = 0}).status().code(),
            StatusCode::kNotFound);
}

}  // namespace
}  // namespace baton::test
