#include "tests/benchmark/bench/claim.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>

#include "client/program_paths.hpp"
#include "shared/support/child_process.hpp"
#include "tests/benchmark/bench/one_process.hpp"
#include "tests/benchmark/bench/pipeline.hpp"
#include "tests/benchmark/bench/statistics.hpp"

namespace baton::bench {

namespace {

constexpr const char* kHead =
    "| arm | copy GB/s | GPU stage ms: median | p99 | maximum | lock held ms a proof | kernels busy % | "
    "proofs/s | "
    "memory of the GPU process |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";

int fail(const Status& status) {
  std::fprintf(stderr, "baton-bench: %s\n", status.to_string().c_str());
  return 1;
}

struct Row {
  const char* name = "";
  double copy_gb_per_s = 0;
  std::vector<double> stage;
  std::string lock;
  double busy = 0;
  double proofs_per_s = 0;
  std::string memory;
};

void print(const Row& row) {
  std::printf("| %s | %.1f | %.2f | %.2f | %.2f | %s | %.1f | %.1f | %s |\n", row.name, row.copy_gb_per_s,
              median(row.stage), quantile(row.stage, 0.99), quantile(row.stage, 1), row.lock.c_str(),
              row.busy, row.proofs_per_s, row.memory.c_str());
  std::fflush(stdout);
}

std::string fixed(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

Row row_of(const char* name, const OneProcessFigures& figures) {
  Row row;
  row.name = name;
  double bytes = 0;
  double copy_ms = 0;
  double busy_ms = 0;
  for (const ProofTimings& timings : figures.timings) {
    bytes += static_cast<double>(timings.copy_bytes);
    copy_ms += timings.copy_ms;
    busy_ms += timings.compute_ms;
    row.stage.push_back(timings.copy_ms + timings.compute_ms);
  }
  const auto jobs = static_cast<double>(figures.jobs);
  row.copy_gb_per_s = copy_ms == 0 ? 0 : bytes / copy_ms / 1e6;
  row.lock = fixed(sum(figures.held_ms) / jobs) + " + " + fixed(figures.finisher_held_ms / jobs);
  row.busy = 100 * busy_ms / figures.wall_ms;
  row.proofs_per_s = 1000 * jobs / figures.wall_ms;
  row.memory = memory_of(getpid());
  return row;
}

/// This program again, with other arguments; its output goes to ours.
Result<ChildProcess> run_again(std::vector<std::string> arguments) {
  ChildOptions options;
  BATON_ASSIGN_OR_RETURN(options.program, sibling_program("baton-bench"));
  options.arguments = std::move(arguments);
  options.stdout_fd = STDOUT_FILENO;
  options.parent_death_signal = SIGKILL;
  return ChildProcess::start(options);
}

std::vector<std::string> arm_arguments(const ClaimLoad& load, const char* arm) {
  return {arm,
          load.service.key,
          load.slot,
          "--jobs",
          std::to_string(load.jobs),
          "--synth",
          std::to_string(load.service.synth),
          "--storm",
          std::to_string(load.storm)};
}

Status run_arm(const ClaimLoad& load, const char* arm) {
  BATON_ASSIGN_OR_RETURN(ChildProcess child, run_again(arm_arguments(load, arm)));
  const auto exit = child.wait(-1);
  return exit && exit->success() ? Status::ok() : internal_error(std::string(arm) + " failed");
}

Status run_baton(const ClaimLoad& load) {
  BATON_ASSIGN_OR_RETURN(const ChildProcess storm,
                         run_again({"storm", "--storm", std::to_string(load.storm)}));
  BATON_ASSIGN_OR_RETURN(const PipelineFigures figures, run_pipeline(load.service, load.jobs));
  print({"Baton", figures.copy_gb_per_s, figures.stage, "none", figures.kernels_busy,
         1000 / figures.ms_per_proof, figures.worker_memory});
  return {};
}

}  // namespace

int claim_arm_command(const ClaimLoad& load, bool pool) {
  const auto figures = run_one_process(load, pool ? BufferSource::kPool : BufferSource::kHeap);
  if (!figures.is_ok()) {
    return fail(figures.status());
  }
  if (figures->wrong != 0) {
    return fail(internal_error(std::to_string(figures->wrong) + " proofs have other sums than the first"));
  }
  print(row_of(pool ? "one process, registered pool" : "one process, heap", *figures));
  return 0;
}

int claim_command(const ClaimLoad& load) {
  std::printf("%s, %zu jobs, %u makers of jobs, storm of %u threads\n\n%s", load.service.key.c_str(),
              load.jobs, load.service.synth, load.storm, kHead);
  std::fflush(stdout);
  for (const char* arm : {"claim-heap", "claim-pool"}) {
    const Status status = run_arm(load, arm);
    if (!status.is_ok()) {
      return fail(status);
    }
  }
  const Status status = run_baton(load);
  return status.is_ok() ? 0 : fail(status);
}

}  // namespace baton::bench
