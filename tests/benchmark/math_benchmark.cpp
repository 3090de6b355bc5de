#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include "shared/groth16/pairing.hpp"
#include "shared/groth16/verify.hpp"
#include "shared/math/batch_inverse.hpp"
#include "shared/math/scalar_mul.hpp"
#include "shared/math/subgroup.hpp"
#include "tests/unit/math/random_elements.hpp"

namespace baton {
namespace {

template <class Params>
void randomise(Fp<Params>& value, std::mt19937_64& random) {
  value = random_element<Fp<Params>>(random);
}
template <class Fq>
void randomise(Fp2<Fq>& value, std::mt19937_64& random) {
  randomise(value.c0, random);
  randomise(value.c1, random);
}

template <class Field>
std::vector<Field> random_elements(std::size_t count) {
  std::mt19937_64 random(1);
  std::vector<Field> values(count);
  for (Field& value : values) {
    randomise(value, random);
  }
  return values;
}

/// Every product waits for the one before.
template <class Field>
void mul_latency(benchmark::State& state) {
  const auto values = random_elements<Field>(2);
  Field a = values[0];
  for (auto _ : state) {
    a = a * values[1];
    benchmark::DoNotOptimize(a);
  }
}

/// `operation` over independent elements; time is for one.
template <class Field, class Operation>
void throughput(benchmark::State& state, Operation operation) {
  constexpr std::size_t kCount = 256;
  const auto a = random_elements<Field>(kCount + 1);
  std::vector<Field> out(kCount);
  for (auto _ : state) {
    for (std::size_t i = 0; i < kCount; ++i) {
      out[i] = operation(a[i], a[i + 1]);
    }
    benchmark::ClobberMemory();
  }
  state.counters["one"] = benchmark::Counter(static_cast<double>(state.iterations()) * kCount,
                                             benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

template <class Field>
void mul_throughput(benchmark::State& state) {
  throughput<Field>(state, [](const Field& a, const Field& b) { return a * b; });
}
template <class Field>
void square_throughput(benchmark::State& state) {
  throughput<Field>(state, [](const Field& a, const Field& /*b*/) { return a.square(); });
}
template <class Field>
void add_throughput(benchmark::State& state) {
  throughput<Field>(state, [](const Field& a, const Field& b) { return a + b; });
}
template <class Field>
void sub_throughput(benchmark::State& state) {
  throughput<Field>(state, [](const Field& a, const Field& b) { return a - b; });
}

template <class Field>
void inverse(benchmark::State& state) {
  Field a = random_elements<Field>(1)[0];
  for (auto _ : state) {
    a = a.inverse() + Field::one();
    benchmark::DoNotOptimize(a);
  }
}

template <class Xyzz>
void mixed_add(benchmark::State& state, const typename Xyzz::Affine& g) {
  Xyzz sum = Xyzz::doubled(g);
  for (auto _ : state) {
    sum += g;
    benchmark::DoNotOptimize(sum);
  }
}
template <class Curve>
void g1_mixed_add(benchmark::State& state) {
  mixed_add<typename Curve::G1Xyzz>(state, Curve::g1_generator());
}
template <class Curve>
void g2_mixed_add(benchmark::State& state) {
  mixed_add<typename Curve::G2Xyzz>(state, Curve::g2_generator());
}

template <class Curve>
void one_pairing(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(pairing<Curve>(Curve::g1_generator(), Curve::g2_generator()));
  }
}
template <class Curve>
void final_power(benchmark::State& state) {
  auto value = pairing<Curve>(Curve::g1_generator(), Curve::g2_generator());
  for (auto _ : state) {
    value = final_exponentiation(value);
    benchmark::DoNotOptimize(value);
  }
}

/// A proof of a key with two public signals; that it is not valid costs the same.
template <class Curve>
void verify_proof(benchmark::State& state) {
  const auto g1 = Curve::g1_generator();
  const auto g2 = Curve::g2_generator();
  const VerificationKey<Curve> key{g1, g2, g2, g2, {g1, g1, g1}};
  const auto verifier = Verifier<Curve>::create(key);
  const auto signals = random_elements<typename Curve::Fr>(2);
  for (auto _ : state) {
    benchmark::DoNotOptimize(verifier->verify({g1, g2, g1}, signals));
  }
}

BENCHMARK(mul_latency<Bn254::Fq>);
BENCHMARK(mul_latency<Bls12_381::Fq>);
BENCHMARK(mul_throughput<Bn254::Fq>);
BENCHMARK(mul_throughput<Bn254::Fr>);
BENCHMARK(mul_throughput<Bls12_381::Fr>);
BENCHMARK(mul_throughput<Bls12_381::Fq>);
BENCHMARK(mul_throughput<Bn254::Fq2>);
BENCHMARK(mul_throughput<Bls12_381::Fq2>);
BENCHMARK(square_throughput<Bn254::Fq>);
BENCHMARK(square_throughput<Bls12_381::Fq>);
BENCHMARK(square_throughput<Bn254::Fq2>);
BENCHMARK(square_throughput<Bls12_381::Fq2>);
BENCHMARK(add_throughput<Bn254::Fq>);
BENCHMARK(add_throughput<Bls12_381::Fq>);
BENCHMARK(sub_throughput<Bn254::Fq>);
BENCHMARK(sub_throughput<Bls12_381::Fq>);
BENCHMARK(inverse<Bn254::Fq>);
BENCHMARK(inverse<Bls12_381::Fq>);
BENCHMARK(g1_mixed_add<Bn254>);
BENCHMARK(g1_mixed_add<Bls12_381>);
BENCHMARK(g2_mixed_add<Bn254>);
BENCHMARK(g2_mixed_add<Bls12_381>);
BENCHMARK(one_pairing<Bn254>);
BENCHMARK(one_pairing<Bls12_381>);
BENCHMARK(final_power<Bn254>);
BENCHMARK(final_power<Bls12_381>);
BENCHMARK(verify_proof<Bn254>);
BENCHMARK(verify_proof<Bls12_381>);

}  // namespace
}  // namespace baton

BENCHMARK_MAIN();
