// Keys and inputs of no circuit, with what kernels find hard: the sums of the GPU are those of the CPU.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "cuda/prover/cuda_backend.hpp"
#include "shared/groth16/cpu_backend.hpp"
#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "shared/math/scalar_mul.hpp"
#include "tests/gpu/support/gpu_test.hpp"

namespace baton::test {
namespace {

enum class Points { kDistinct, kEqual, kOpposite, kInfinity, kSomeInfinity };
constexpr Points kPoints[] = {Points::kDistinct, Points::kEqual, Points::kOpposite, Points::kInfinity,
                              Points::kSomeInfinity};

enum class Scalars { kZero, kOne, kMinusOne, kEqual, kSingle, kHalf, kPowers, kWitness, kRandom };
constexpr Scalars kScalars[] = {Scalars::kZero,   Scalars::kOne,     Scalars::kMinusOne,
                                Scalars::kEqual,  Scalars::kSingle,  Scalars::kHalf,
                                Scalars::kPowers, Scalars::kWitness, Scalars::kRandom};

struct Size {
  std::uint32_t n_vars;
  std::uint32_t n_public;
  std::uint32_t domain;
};
/// The first has no point in C, the second no public value; then sizes around powers of two.
constexpr Size kSizes[] = {{2, 1, 2},   {2, 0, 2},       {5, 4, 8},      {31, 0, 32},
                           {33, 7, 64}, {1025, 1, 2048}, {4096, 3, 4096}};

template <class Affine>
std::vector<Affine> make_points(Points kind, std::size_t count, const Affine& generator) {
  constexpr std::size_t kDifferent = 61;
  std::vector<Affine> multiples;
  for (std::size_t i = 0; i < kDifferent; ++i) {
    multiples.push_back(scalar_mul(generator, BigInt<4>::from_u64(7 * i + 1)).to_affine());
  }
  std::vector<Affine> points;
  for (std::size_t i = 0; i < count; ++i) {
    const bool odd = i % 2 != 0;
    switch (kind) {
      case Points::kDistinct:
        points.push_back(multiples[i % kDifferent]);
        break;
      case Points::kEqual:
        points.push_back(multiples[5]);
        break;
      case Points::kOpposite:
        points.push_back(odd ? -multiples[5] : multiples[5]);
        break;
      case Points::kInfinity:
        points.push_back(Affine::infinity());
        break;
      case Points::kSomeInfinity:
        points.push_back(i % 3 == 0 ? Affine::infinity() : multiples[i % kDifferent]);
        break;
    }
  }
  return points;
}

template <class Fr>
Fr random_scalar(std::mt19937_64& random) {
  BigInt<4> value;
  for (std::uint64_t& limb : value.limbs) {
    limb = random();
  }
  value.limbs[3] >>= 4;
  return Fr::from_canonical_unchecked(value);
}

template <class Fr>
Fr make_scalar(Scalars kind, std::size_t i, std::size_t count, std::mt19937_64& random) {
  const Fr half = Fr::from_u64(2).inverse();  // (r + 1) / 2
  switch (kind) {
    case Scalars::kZero:
      return Fr::zero();
    case Scalars::kOne:
      return Fr::one();
    case Scalars::kMinusOne:
      return -Fr::one();
    case Scalars::kEqual:
      return Fr::from_u64(0x123456789abcdef1U).square().square();
    case Scalars::kSingle:
      return i == count / 2 ? random_scalar<Fr>(random) : Fr::zero();
    case Scalars::kHalf:
      return i % 3 == 0 ? half : i % 3 == 1 ? half - Fr::one() : half - Fr::from_u64(2);
    case Scalars::kPowers: {
      // 2^k - 1, 2^k and 2^k + 1: the edges of every window of every width.
      const Fr power = Fr::from_u64(2).pow(BigInt<1>::from_u64(i / 3 % 254));
      return i % 3 == 0 ? power - Fr::one() : i % 3 == 1 ? power : power + Fr::one();
    }
    case Scalars::kWitness: {
      const std::uint64_t draw = random() % 20;
      return draw < 8    ? Fr::zero()
             : draw < 16 ? Fr::one()
             : draw < 19 ? Fr::from_u64(random() % 65536)
                         : random_scalar<Fr>(random);
    }
    case Scalars::kRandom:
      return random_scalar<Fr>(random);
  }
  return Fr::zero();
}

template <class Curve>
struct OddKey {
  OddKey(const Size& size, Points kind)
      : shape(size),
        a(make_points(kind, size.n_vars, Curve::g1_generator())),
        b1(make_points(kind, size.n_vars, Curve::g1_generator())),
        c(make_points(kind, size.n_vars - size.n_public - 1, Curve::g1_generator())),
        h(make_points(kind, size.domain, Curve::g1_generator())),
        b2(make_points(kind, size.n_vars, Curve::g2_generator())) {}

  [[nodiscard]] ProvingKeyView view() const {
    const auto bytes = [](const auto& points) { return std::as_bytes(std::span(points)); };
    return {Curve::kId, shape.n_vars, shape.n_public, shape.domain, bytes(a),
            bytes(b1),  bytes(b2),    bytes(c),       bytes(h)};
  }

  Size shape;
  std::vector<typename Curve::G1Affine> a, b1, c, h;
  std::vector<typename Curve::G2Affine> b2;
};

template <class Curve>
struct OddInput {
  using Fr = typename Curve::Fr;

  OddInput(const Size& size, Scalars kind) {
    std::mt19937_64 random(size.n_vars + static_cast<unsigned>(kind));
    for (std::size_t i = 0; i < size.n_vars; ++i) {
      w.push_back(make_scalar<Fr>(kind, i, size.n_vars, random).to_canonical());
    }
    for (std::size_t i = 0; i < size.domain; ++i) {
      a.push_back(make_scalar<Fr>(kind, i, size.domain, random));
      b.push_back(make_scalar<Fr>(kind, size.domain - 1 - i, size.domain, random));
    }
  }
  [[nodiscard]] ProofInput view() const {
    return {std::as_bytes(std::span(w)), std::as_bytes(std::span(a)), std::as_bytes(std::span(b)), {}};
  }

  std::vector<BigInt<4>> w;
  std::vector<Fr> a, b;
};

template <class Curve>
class DegenerateProof : public testing::Test {};
using Curves = testing::Types<Bn254, Bls12_381>;
TYPED_TEST_SUITE(DegenerateProof, Curves);

TYPED_TEST(DegenerateProof, HasTheSumsOfTheCpuAndTheSameAgain) {
  BATON_SKIP_WITHOUT_DEVICE();
  auto made = make_cuda_backend({});
  ASSERT_TRUE(made.is_ok()) << made.status().to_string();
  ProverBackend& gpu = **made;
  CpuBackend cpu{CpuBackendOptions{}};
  for (const Size& size : kSizes) {
    for (const Points points : kPoints) {
      const OddKey<TypeParam> key(size, points);
      for (ProverBackend* backend : {&gpu, static_cast<ProverBackend*>(&cpu)}) {
        const Status loaded = backend->load_key(1, key.view());
        ASSERT_TRUE(loaded.is_ok()) << loaded.to_string();
      }
      for (const Scalars scalars : kScalars) {
        SCOPED_TRACE("n " + std::to_string(size.n_vars) + ", points " +
                     std::to_string(static_cast<int>(points)) + ", scalars " +
                     std::to_string(static_cast<int>(scalars)));
        const OddInput<TypeParam> input(size, scalars);
        ProofTimings timings;
        const auto expected = cpu.prove(
            0, 1, input.view(), [] {}, timings);
        ASSERT_TRUE(expected.is_ok()) << expected.status().to_string();
        for (const unsigned lane : {0U, 1U}) {
          const auto sums = gpu.prove(
              lane, 1, input.view(), [] {}, timings);
          ASSERT_TRUE(sums.is_ok()) << sums.status().to_string();
          EXPECT_TRUE(*sums == *expected);
        }
      }
      gpu.drop_key(1);
      cpu.drop_key(1);
    }
  }
}

}  // namespace
}  // namespace baton::test
