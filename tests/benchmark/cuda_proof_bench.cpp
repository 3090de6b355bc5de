// Times whole proofs on the first device, and checks every one against its known sums.
//
//   cuda_proof_bench CURVE SHAPE CONSTRAINTS [JOBS [LANES]]
//
// CURVE: bn254, bls12381. SHAPE: chain, bits, dense. A proof is timed with its key resident, copies included,
// one at a time (median of 11), then JOBS (default 100) back to back through LANES (default 2) lanes.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cuda/device/device_info.hpp"
#include "cuda/prover/cuda_backend.hpp"
#include "shared/support/clock.hpp"
#include "tests/gpu/support/known_proof.hpp"

namespace baton::test {
namespace {

constexpr int kRepeats = 11;

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

std::size_t used_memory() {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  (void)cudaMemGetInfo(&free_bytes, &total_bytes);
  return total_bytes - free_bytes;
}

struct Run {
  std::vector<double> wall_ms;
  std::vector<ProofTimings> timings;
  double total_ms = 0;
  int wrong = 0;

  [[nodiscard]] double median(double ProofTimings::*member, double share = 0.5) const {
    std::vector<double> values;
    for (const ProofTimings& t : timings) {
      values.push_back(t.*member);
    }
    return quantile(values, share);
  }
};

template <class Curve>
Run prove_many(ProverBackend& backend, const KnownProof<Curve>& proof, int jobs, unsigned lanes) {
  Run run;
  std::mutex mutex;
  std::atomic<int> left{jobs};
  const Stopwatch total;
  std::vector<std::jthread> threads;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    threads.emplace_back([&, lane] {
      while (left-- > 0) {
        ProofTimings timings;
        const Stopwatch watch;
        const auto sums = backend.prove(
            lane, 1, proof.input(true), [] {}, timings);
        const double ms = watch.milliseconds();
        const std::lock_guard lock(mutex);
        run.wrong += sums.is_ok() && *sums == proof.expected() ? 0 : 1;
        if (!sums.is_ok()) {
          std::printf("%s\n", sums.status().to_string().c_str());
        }
        run.wall_ms.push_back(ms);
        run.timings.push_back(timings);
      }
    });
  }
  threads.clear();
  run.total_ms = total.milliseconds();
  return run;
}

void print_run(const char* name, const Run& run) {
  double busy = 0;
  double bytes = 0;
  double copy_ms = 0;
  for (const ProofTimings& t : run.timings) {
    busy += t.compute_ms;
    bytes += static_cast<double>(t.copy_bytes);
    copy_ms += t.copy_ms;
  }
  std::printf(
      "  %-12s %zu proofs, wrong %d: wall median %.2f ms, %.2f ms a proof; compute median %.2f p99 %.2f; "
      "busy %.1f %%; copy %.2f ms at %.1f GB/s\n",
      name, run.timings.size(), run.wrong, quantile(run.wall_ms, 0.5),
      run.total_ms / static_cast<double>(run.timings.size()), run.median(&ProofTimings::compute_ms),
      run.median(&ProofTimings::compute_ms, 0.99), 100 * busy / run.total_ms,
      run.median(&ProofTimings::copy_ms), bytes / copy_ms / 1e6);
  std::printf("  %-12s quotient %.2f, B2 %.2f, A %.2f, B1 %.2f, C+H %.2f ms (two streams at once)\n", "",
              run.median(&ProofTimings::ntt_ms), run.median(&ProofTimings::msm_b2_ms),
              run.median(&ProofTimings::msm_a_ms), run.median(&ProofTimings::msm_b1_ms),
              run.median(&ProofTimings::msm_ch_ms));
}

template <class Curve>
Status bench_proof(fixture::Shape shape, std::size_t constraints, int jobs, unsigned lanes) {
  Stopwatch watch;
  const KnownProof<Curve> proof(shape, constraints, 1, 1);
  std::printf("%s, %zu constraints (fixture made in %.1f s)\n", Curve::kName, constraints,
              watch.milliseconds() / 1000);
  watch.restart();
  BATON_ASSIGN_OR_RETURN(const auto backend,
                         make_cuda_backend({.device = {}, .lanes = lanes, .vram_budget_bytes = 0}));
  const double start_ms = watch.milliseconds();
  watch.restart();
  BATON_ASSIGN_OR_RETURN(const auto range, backend->register_range(proof.slot()));
  const double register_ms = watch.milliseconds();
  watch.restart();
  BATON_RETURN_IF_ERROR(backend->load_key(1, proof.key()));
  std::printf("  start %.0f ms, registration of %zu MiB %.1f ms, key loaded in %.0f ms, %.2f GiB\n", start_ms,
              proof.slot().size() >> 20, register_ms, watch.milliseconds(),
              static_cast<double>(backend->resident_keys().at(0).bytes) / (1 << 30));
  (void)prove_many(*backend, proof, 2, 1);
  const std::size_t memory_before = used_memory();
  print_run("one by one", prove_many(*backend, proof, kRepeats, 1));
  print_run("back to back", prove_many(*backend, proof, jobs, lanes));
  std::printf("  device memory after 2 proofs %zu MiB, after all %zu MiB; %s\n", memory_before >> 20,
              used_memory() >> 20, backend->description().c_str());
  return {};
}

Status run(const std::vector<std::string>& arguments) {
  if (arguments.size() < 3) {
    return invalid_input("usage: see the head of cuda_proof_bench.cpp");
  }
  const fixture::Shape shape = arguments[1] == "bits"    ? fixture::Shape::kBits
                               : arguments[1] == "dense" ? fixture::Shape::kDense
                                                         : fixture::Shape::kChain;
  const auto constraints = static_cast<std::size_t>(std::atoll(arguments[2].c_str()));
  const int jobs = arguments.size() > 3 ? std::atoi(arguments[3].c_str()) : 100;
  const auto lanes = static_cast<unsigned>(arguments.size() > 4 ? std::atoi(arguments[4].c_str()) : 2);
  return arguments[0] == "bls12381" ? bench_proof<Bls12_381>(shape, constraints, jobs, lanes)
                                    : bench_proof<Bn254>(shape, constraints, jobs, lanes);
}

}  // namespace
}  // namespace baton::test

int main(int argc, char** argv) {
  const auto devices = baton::list_devices();
  if (!devices.is_ok() || devices->empty()) {
    std::printf("no CUDA device: nothing measured\n");
    return 0;
  }
  const baton::Status status = baton::test::run({argv + 1, argv + argc});
  if (!status.is_ok()) {
    std::printf("%s\n", status.to_string().c_str());
    return 1;
  }
  return 0;
}
