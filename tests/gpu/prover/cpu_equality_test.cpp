// With r and s fixed, a proof of the GPU equals that of the CPU byte for byte.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "cuda/device/device_info.hpp"
#include "cuda/prover/cuda_backend.hpp"
#include "shared/formats/proof_bytes.hpp"
#include "shared/groth16/cpu_backend.hpp"
#include "shared/groth16/proof_assembly.hpp"
#include "shared/groth16/verify.hpp"
#include "tests/fixture/fixture.hpp"
#include "tests/gpu/support/gpu_test.hpp"
#include "tests/gpu/support/known_proof.hpp"

namespace baton::test {
namespace {

using fixture::Shape;

constexpr const char* kShapeNames[] = {"chain", "bits", "dense"};

Blinding fixed_blinding() {
  Blinding blinding;
  for (std::size_t i = 0; i < 31; ++i) {
    blinding.r[i] = static_cast<std::byte>(17 * i + 1);
    blinding.s[i] = static_cast<std::byte>(29 * i + 5);
  }
  return blinding;
}

/// The bytes of the proof that `backend` makes on `lane`; empty, with a failure, when it makes none.
template <class Curve>
std::string proof_bytes(ProverBackend& backend, unsigned lane, const KnownProof<Curve>& proof, bool derive_c,
                        const Blinding& blinding) {
  ProofTimings timings;
  const auto sums = backend.prove(
      lane, 1, proof.input(derive_c), [] {}, timings);
  EXPECT_TRUE(sums.is_ok()) << sums.status().to_string();
  if (!sums.is_ok()) {
    return {};
  }
  const auto assembled = assemble_proof(proof.header(), *sums, blinding);
  EXPECT_TRUE(assembled.is_ok()) << assembled.status().to_string();
  return assembled.is_ok() ? to_proof_bytes(*assembled) : std::string();
}

template <class Curve>
bool verifies(const Verifier<Curve>& verifier, const KnownProof<Curve>& proof, const std::string& bytes) {
  const auto parsed = parse_proof_bytes(Curve::kId, bytes);
  if (!parsed.is_ok()) {
    return false;
  }
  const auto verdict = verifier.verify(std::get<Proof<Curve>>(*parsed), proof.publics());
  return verdict.is_ok() && verdict->valid;
}

template <class Curve>
void expect_same_bytes(ProverBackend& gpu, ProverBackend& cpu, Shape shape, unsigned log_size) {
  SCOPED_TRACE(std::string(kShapeNames[static_cast<int>(shape)]) + " 2^" + std::to_string(log_size));
  const KnownProof<Curve> proof(shape, fixture::full_domain(log_size, 1), 1, log_size);
  const auto range = gpu.register_range(proof.slot());
  for (ProverBackend* backend : {&gpu, &cpu}) {
    const Status loaded = backend->load_key(1, proof.key());
    ASSERT_TRUE(loaded.is_ok()) << loaded.to_string();
  }
  const std::string expected = proof_bytes(cpu, 0, proof, false, fixed_blinding());
  EXPECT_TRUE(proof_bytes(gpu, 0, proof, false, fixed_blinding()) == expected);
  EXPECT_TRUE(proof_bytes(gpu, 1, proof, true, fixed_blinding()) == expected);
  const auto verifier = Verifier<Curve>::create(proof.verification_key());
  ASSERT_TRUE(verifier.is_ok()) << verifier.status().to_string();
  EXPECT_TRUE(verifies(*verifier, proof, expected));
  gpu.drop_key(1);
  cpu.drop_key(1);
}

template <class Curve>
class GpuProof : public testing::Test {
 protected:
  void SetUp() override {
    BATON_SKIP_WITHOUT_DEVICE();
    auto backend = make_cuda_backend({});
    ASSERT_TRUE(backend.is_ok()) << backend.status().to_string();
    gpu_ = std::move(backend).value();
  }

  std::unique_ptr<ProverBackend> gpu_;
  CpuBackend cpu_{CpuBackendOptions{}};
};
using Curves = testing::Types<Bn254, Bls12_381>;
TYPED_TEST_SUITE(GpuProof, Curves);

TYPED_TEST(GpuProof, HasTheBytesOfTheCpuForEveryShape) {
  for (const Shape shape : {Shape::kChain, Shape::kBits, Shape::kDense}) {
    for (const unsigned log_size : {10U, 13U, 16U}) {
      expect_same_bytes<TypeParam>(*this->gpu_, this->cpu_, shape, log_size);
    }
  }
}

TYPED_TEST(GpuProof, HasTheBytesOfTheCpuForLargeCircuits) {
  for (const Shape shape : {Shape::kChain, Shape::kBits, Shape::kDense}) {
    for (const unsigned log_size : {18U, 20U}) {
      expect_same_bytes<TypeParam>(*this->gpu_, this->cpu_, shape, log_size);
    }
  }
}

/// 1,000 proofs over two lanes, every one checked by pairing; what the device holds stays as it is.
TYPED_TEST(GpuProof, AThousandInARowVerifyAndTakeNoDeviceMemory) {
  constexpr int kProofs = 1000;
  const KnownProof<TypeParam> proof(Shape::kBits, fixture::full_domain(13, 1), 1, 7);
  const auto range = this->gpu_->register_range(proof.slot());
  ASSERT_TRUE(this->gpu_->load_key(1, proof.key()).is_ok());
  const auto verifier = Verifier<TypeParam>::create(proof.verification_key());
  ASSERT_TRUE(verifier.is_ok());
  std::atomic<int> next{0};
  std::atomic<int> good{0};
  std::size_t free_after_two = 0;
  const auto prove_until = [&](unsigned lane, int end) {
    while (next++ < end) {
      const auto blinding = random_blinding(TypeParam::kId);
      good += blinding.is_ok() &&
              verifies(*verifier, proof, proof_bytes(*this->gpu_, lane, proof, lane == 0, *blinding));
    }
  };
  prove_until(0, 2);
  free_after_two = free_device_memory().value();
  next = 2;
  {
    const std::jthread first(prove_until, 0, kProofs);
    const std::jthread second(prove_until, 1, kProofs);
  }
  EXPECT_EQ(good, kProofs);
  EXPECT_EQ(free_device_memory().value(), free_after_two);
}

}  // namespace
}  // namespace baton::test
