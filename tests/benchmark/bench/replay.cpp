#include <sys/mman.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <optional>
#include <thread>

#include "cuda/prover/cuda_backend.hpp"
#include "shared/formats/proving_key_file.hpp"
#include "shared/support/clock.hpp"
#include "tests/benchmark/bench/claim.hpp"
#include "tests/benchmark/bench/one_process.hpp"
#include "tests/benchmark/bench/recorded_slot.hpp"
#include "tests/benchmark/bench/statistics.hpp"

namespace baton::bench {

namespace {

/// A registered copy of the recorded slot in shared memory, as slots are.
class Replica {
 public:
  static Result<std::unique_ptr<Replica>> make(const RecordedSlot& slot, ProverBackend& backend) {
    const std::size_t bytes = (slot.bytes() + 4095) / 4096 * 4096;
    void* mapped =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (mapped == MAP_FAILED) {
      return Status(StatusCode::kNoSpace, "no memory for a replica of the slot");
    }
    std::unique_ptr<Replica> replica(new Replica({static_cast<std::byte*>(mapped), bytes}));
    replica->input = slot.copy_to(replica->mapping_);
    BATON_ASSIGN_OR_RETURN(replica->range_, backend.register_range(replica->mapping_));
    return Result<std::unique_ptr<Replica>>(std::move(replica));
  }
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;
  ~Replica() {
    range_.reset();
    (void)munmap(mapping_.data(), mapping_.size());
  }

  ProofInput input;

 private:
  explicit Replica(std::span<std::byte> mapping) : mapping_(mapping) {}
  std::span<std::byte> mapping_;
  std::unique_ptr<RegisteredRange> range_;
};

/// One lane's share of the proofs, added to `figures` under `mutex`.
void prove_share(ProverBackend& backend, unsigned lane, const ProofInput& input,
                 std::atomic<std::size_t>& next, std::size_t jobs, std::mutex& mutex,
                 OneProcessFigures& figures) {
  std::optional<ProofSums> first;
  while (next++ < jobs) {
    ProofTimings timings;
    const auto sums = backend.prove(
        lane, 1, input, [] {}, timings);
    if (!first && sums.is_ok()) {
      first = *sums;
    }
    const std::lock_guard lock(mutex);
    figures.wrong += sums.is_ok() && *sums == *first ? 0 : 1;
    figures.timings.push_back(timings);
  }
}

Result<OneProcessFigures> replay(const ClaimLoad& load, unsigned lanes) {
  BATON_ASSIGN_OR_RETURN(const RecordedSlot slot, RecordedSlot::read(load.slot));
  CudaOptions options;
  options.lanes = lanes;
  BATON_ASSIGN_OR_RETURN(const std::unique_ptr<ProverBackend> backend, make_cuda_backend(options));
  BATON_ASSIGN_OR_RETURN(const ProvingKeyFile key, ProvingKeyFile::open(load.service.key, FileAccess::kMap));
  BATON_RETURN_IF_ERROR(backend->load_key(1, key.view()));
  std::vector<std::unique_ptr<Replica>> replicas;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    BATON_ASSIGN_OR_RETURN(std::unique_ptr<Replica> replica, Replica::make(slot, *backend));
    replicas.push_back(std::move(replica));
  }
  OneProcessFigures figures;
  figures.jobs = load.jobs;
  std::mutex mutex;
  std::atomic<std::size_t> next{0};
  const Stopwatch watch;
  {
    std::vector<std::jthread> threads;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      threads.emplace_back(
          [&, lane] { prove_share(*backend, lane, replicas[lane]->input, next, load.jobs, mutex, figures); });
    }
  }
  figures.wall_ms = watch.milliseconds();
  return figures;
}

}  // namespace

int replay_command(const ClaimLoad& load, unsigned lanes) {
  const auto figures = replay(load, lanes);
  if (!figures.is_ok()) {
    std::fprintf(stderr, "baton-bench: %s\n", figures.status().to_string().c_str());
    return 1;
  }
  std::vector<double> compute;
  double bytes = 0;
  double copy_ms = 0;
  for (const ProofTimings& timings : figures->timings) {
    compute.push_back(timings.compute_ms);
    bytes += static_cast<double>(timings.copy_bytes);
    copy_ms += timings.copy_ms;
  }
  std::printf(
      "%s, %zu recorded slots over %u lanes, no synthesis, %zu wrong: %.2f ms a proof, kernels busy %.1f %%, "
      "compute median %.2f ms, p99 %.2f ms, copies at %.1f GB/s\n",
      load.service.key.c_str(), figures->jobs, lanes, figures->wrong,
      figures->wall_ms / static_cast<double>(figures->jobs), 100 * sum(compute) / figures->wall_ms,
      median(compute), quantile(compute, 0.99), bytes / copy_ms / 1e6);
  return figures->wrong == 0 ? 0 : 1;
}

}  // namespace baton::bench
