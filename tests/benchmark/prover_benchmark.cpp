// The CPU prover on keys of random points: multiples of the generator by a chain of additions, so that large
// ones are made in seconds. The shapes are those of baton-fixture: on "chain" every wire is a random number,
// on "bits" all but one wire in 253 are zero or one. CPU time counts all threads.
#include <benchmark/benchmark.h>
#include <oneapi/tbb/task_arena.h>

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "shared/groth16/cpu_backend.hpp"
#include "shared/groth16/key_check.hpp"
#include "shared/groth16/quotient.hpp"
#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"

namespace baton {
namespace {

enum class Shape : std::int64_t { kChain = 0, kBits = 1 };

/// count points: 1 G, 2 G, 3 G, ...
template <class Xyzz>
std::vector<typename Xyzz::Affine> counting_points(const typename Xyzz::Affine& generator,
                                                   std::size_t count) {
  std::vector<Xyzz> points(count);
  Xyzz point = Xyzz::infinity();
  for (Xyzz& place : points) {
    point += generator;
    place = point;
  }
  std::vector<typename Xyzz::Affine> result(count);
  to_affine(std::span<const Xyzz>(points), std::span<typename Xyzz::Affine>(result));
  return result;
}

template <class Curve>
class RandomProof {
 public:
  using Fr = typename Curve::Fr;

  RandomProof(unsigned log_size, Shape shape)
      : size_(std::size_t{1} << log_size),
        g1_(counting_points<typename Curve::G1Xyzz>(Curve::g1_generator(), size_)),
        g2_(counting_points<typename Curve::G2Xyzz>(Curve::g2_generator(), size_)),
        abc_(size_),
        w_(size_) {
    std::mt19937_64 random(log_size);
    Fr value = Fr::from_u64(random());
    for (std::size_t i = 0; i < size_; ++i) {
      value = value.square() + Fr::from_u64(random());
      abc_[i] = value;
      w_[i] =
          shape == Shape::kChain || i % 253 == 0 ? value.to_canonical() : BigInt<4>::from_u64(random() % 2);
    }
  }

  [[nodiscard]] ProvingKeyView key() const {
    const auto g1 = std::as_bytes(std::span(g1_));
    const auto n = static_cast<std::uint32_t>(size_);
    return {
        Curve::kId, n, 1, n, g1, g1, std::as_bytes(std::span(g2_)), g1.subspan(2 * Curve::G1Affine::kBytes),
        g1};
  }
  [[nodiscard]] ProofInput input() const {
    const auto abc = std::as_bytes(std::span(abc_));
    return {std::as_bytes(std::span(w_)), abc, abc, {}};
  }

 private:
  std::size_t size_;
  std::vector<typename Curve::G1Affine> g1_;
  std::vector<typename Curve::G2Affine> g2_;
  std::vector<Fr> abc_;
  std::vector<BigInt<4>> w_;
};

/// Arguments: log2 of the domain, shape, threads.
template <class Curve>
void prove(benchmark::State& state) {
  const RandomProof<Curve> proof(static_cast<unsigned>(state.range(0)), static_cast<Shape>(state.range(1)));
  CpuBackend backend({static_cast<unsigned>(state.range(2)), 0});
  if (!backend.load_key(1, proof.key()).is_ok()) {
    state.SkipWithError("the key was not loaded");
    return;
  }
  ProofTimings timings;
  for (auto _ : state) {
    benchmark::DoNotOptimize(backend.prove(
        0, 1, proof.input(), [] {}, timings));
  }
  state.counters["copy_ms"] = timings.copy_ms;
  state.counters["ntt_ms"] = timings.ntt_ms;
  state.counters["a_ms"] = timings.msm_a_ms;
  state.counters["b1_ms"] = timings.msm_b1_ms;
  state.counters["b2_ms"] = timings.msm_b2_ms;
  state.counters["ch_ms"] = timings.msm_ch_ms;
}

void shapes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"log_size", "bits", "threads"});
  for (const std::int64_t log_size : {12, 16, 18}) {
    for (const Shape shape : {Shape::kChain, Shape::kBits}) {
      for (const std::int64_t threads : {1, 2}) {
        benchmark->Args({log_size, static_cast<std::int64_t>(shape), threads});
      }
    }
  }
  benchmark->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
}

BENCHMARK(prove<Bn254>)->Apply(shapes);
BENCHMARK(prove<Bls12_381>)->Apply(shapes);

template <class Curve>
void quotient(benchmark::State& state) {
  using Fr = typename Curve::Fr;
  const auto log_size = static_cast<unsigned>(state.range(0));
  tbb::task_arena arena(1);
  arena.execute([&] {
    const RootTable<Fr> roots(log_size);
    std::vector<Fr> a(std::size_t{1} << log_size, Fr::from_u64(3));
    std::vector<Fr> b = a;
    std::vector<Fr> c = a;
    for (auto _ : state) {
      quotient_in_place<Fr>(a, b, c, roots);
    }
  });
}

BENCHMARK(quotient<Bn254>)->Arg(12)->Arg(16)->Arg(20)->Unit(benchmark::kMillisecond);
BENCHMARK(quotient<Bls12_381>)->Arg(16)->Unit(benchmark::kMillisecond);

template <class Curve>
void check_points(benchmark::State& state) {
  const RandomProof<Curve> proof(16, Shape::kBits);
  const auto depth = state.range(0) == 0 ? PointCheck::kCurve : PointCheck::kSubgroup;
  for (auto _ : state) {
    benchmark::DoNotOptimize(check_key_points(proof.key(), depth).is_ok());
  }
}

BENCHMARK(check_points<Bn254>)
    ->ArgName("subgroup")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace baton

BENCHMARK_MAIN();
