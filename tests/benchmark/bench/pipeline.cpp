#include "tests/benchmark/bench/pipeline.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "tests/benchmark/bench/nvml_sampler.hpp"
#include "tests/benchmark/bench/statistics.hpp"

namespace baton::bench {

namespace {

/// Enough that every slot exists and is registered, and the key is resident.
std::size_t warm_up_jobs(const ServiceLoad& load) {
  return 2 * std::size_t{load.synth} + 8;
}

struct Finished {
  wire::JobReply reply;
  Instant end;
};

/// Submits `count` jobs at once and waits for all; by rising end.
Result<std::vector<Finished>> prove_all(Service& service, std::size_t count) {
  std::vector<std::pair<std::uint64_t, Instant>> accepted;
  for (std::size_t i = 0; i < count; ++i) {
    BATON_ASSIGN_OR_RETURN(const std::uint64_t job, service.submit());
    accepted.emplace_back(job, now());
  }
  std::vector<Finished> finished;
  for (const auto& [job, at] : accepted) {
    BATON_ASSIGN_OR_RETURN(wire::JobReply reply, service.wait(job));
    const auto total = std::chrono::duration<double, std::milli>(reply.timings().total_ms());
    finished.push_back({std::move(reply), at + std::chrono::duration_cast<Instant::duration>(total)});
  }
  std::sort(finished.begin(), finished.end(),
            [](const Finished& a, const Finished& b) { return a.end < b.end; });
  return finished;
}

PipelineFigures figures_of(const std::vector<Finished>& jobs, const NvmlSampler& nvml) {
  PipelineFigures figures;
  figures.jobs = jobs.size();
  const Instant first = jobs.front().end;
  const Instant last = jobs.back().end;
  const double window = std::chrono::duration<double, std::milli>(last - first).count();
  figures.ms_per_proof = window / static_cast<double>(jobs.size() - 1);
  std::vector<double> verify;
  double copied = 0;
  double copy_ms = 0;
  for (const Finished& job : jobs) {
    const wire::ProveTimings& prove = job.reply.timings().prove();
    figures.compute.push_back(prove.compute_ms());
    figures.stage.push_back(prove.copy_ms() + prove.compute_ms());
    const wire::FillTimings& fill = job.reply.timings().fill();
    figures.fill_read.push_back(fill.read_ms());
    figures.fill_evaluate.push_back(fill.evaluate_ms());
    figures.fill_seal.push_back(fill.seal_ms());
    verify.push_back(prove.verify_ms());
    copied += static_cast<double>(prove.copy_bytes());
    copy_ms += prove.copy_ms();
  }
  // The first job's kernels ran before the window.
  figures.kernels_busy = 100 * (sum(figures.compute) - figures.compute.front()) / window;
  figures.nvml_busy = nvml.mean(first, last);
  figures.copy_gb_per_s = copy_ms == 0 ? 0 : copied / copy_ms / 1e6;
  figures.copy_bytes = copied / static_cast<double>(jobs.size());
  figures.verify_median = median(verify);
  return figures;
}

}  // namespace

std::string memory_of(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  double peak = 0;
  double shared = 0;
  for (std::string line; std::getline(file, line);) {
    const auto value = [&] { return std::stod(line.substr(line.find(':') + 1)) / 1024; };
    if (line.starts_with("VmHWM:")) {
      peak = value();
    } else if (line.starts_with("RssShmem:")) {
      shared = value();
    }
  }
  return "peak " + std::to_string(static_cast<long>(peak)) + " MiB (" +
         std::to_string(static_cast<long>(shared)) + " MiB of it slots)";
}

Result<PipelineFigures> run_pipeline(const ServiceLoad& load, std::size_t jobs) {
  BATON_ASSIGN_OR_RETURN(const std::unique_ptr<Service> service, Service::start(load));
  BATON_RETURN_IF_ERROR(prove_all(*service, warm_up_jobs(load)).status());
  const NvmlSampler nvml;
  BATON_ASSIGN_OR_RETURN(const std::vector<Finished> finished, prove_all(*service, jobs));
  PipelineFigures figures = figures_of(finished, nvml);
  BATON_ASSIGN_OR_RETURN(const auto worker, service->gpu_worker());
  figures.worker_memory = worker ? memory_of(static_cast<int>(worker->pid())) : std::string("gone");
  return figures;
}

int pipeline_command(const ServiceLoad& load, std::size_t jobs) {
  const auto result = run_pipeline(load, jobs);
  if (!result.is_ok()) {
    std::fprintf(stderr, "baton-bench: %s\n", result.status().to_string().c_str());
    return 1;
  }
  const PipelineFigures& f = *result;
  const double middle = median(f.compute);
  const double late = quantile(f.compute, 0.99);
  std::printf("%s, %zu jobs, %u synth-workers of %u threads\n", load.key.c_str(), f.jobs, load.synth,
              load.threads);
  std::printf("  %.2f ms a proof; kernels busy %.1f %%, NVML %s; copies of %.0f MB at %.1f GB/s\n",
              f.ms_per_proof, f.kernels_busy,
              f.nvml_busy ? (std::to_string(*f.nvml_busy) + " %").c_str() : "absent", f.copy_bytes / 1e6,
              f.copy_gb_per_s);
  std::printf("  compute median %.2f ms, p99 %.2f ms (%.3f of it), maximum %.2f ms\n", middle, late,
              middle == 0 ? 0.0 : late / middle, quantile(f.compute, 1));
  std::printf("  fill medians: read %.1f, evaluate %.1f, seal %.1f ms; verify %.1f ms; gpu-worker %s\n",
              median(f.fill_read), median(f.fill_evaluate), median(f.fill_seal), f.verify_median,
              f.worker_memory.c_str());
  return 0;
}

}  // namespace baton::bench
