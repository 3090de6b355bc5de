#include <csignal>
#include <cstdio>
#include <thread>

#include "tests/benchmark/bench/pipeline.hpp"

namespace baton::bench {

namespace {

constexpr double kPatienceMs = 60000;

struct RestartTimes {
  double joined_ms = 0;    ///< context made, self-test passed, HELLO received
  double attached_ms = 0;  ///< every slot mapped and registered
  double resident_ms = 0;  ///< key in device memory
  double proved_ms = 0;
  unsigned segments = 0;
  std::uint64_t slot_bytes = 0;
};

Result<RestartTimes> kill_and_watch(Service& service) {
  BATON_ASSIGN_OR_RETURN(const auto before, service.gpu_worker());
  if (!before) {
    return Status(StatusCode::kUnavailable, "no gpu-worker is ready");
  }
  RestartTimes times;
  const Stopwatch watch;
  if (::kill(static_cast<pid_t>(before->pid()), SIGKILL) != 0) {
    return internal_error("the gpu-worker cannot be killed");
  }
  BATON_ASSIGN_OR_RETURN(const std::uint64_t job, service.submit());
  while (times.resident_ms == 0 || times.attached_ms == 0) {
    if (watch.milliseconds() > kPatienceMs) {
      return Status(StatusCode::kDeadline, "the new gpu-worker has not taken over");
    }
    BATON_ASSIGN_OR_RETURN(const wire::StatusReply status, service.status());
    for (const wire::WorkerStatus& worker : status.workers()) {
      if (worker.role() != wire::ROLE_GPU || worker.pid() == before->pid() || worker.state() != "ready") {
        continue;
      }
      const double passed = watch.milliseconds();
      times.joined_ms = times.joined_ms == 0 ? passed : times.joined_ms;
      if (times.attached_ms == 0 && worker.segments() == before->segments()) {
        times.attached_ms = passed;
        times.segments = worker.segments();
      }
      times.resident_ms = times.resident_ms == 0 && worker.keys_size() != 0 ? passed : times.resident_ms;
    }
    std::this_thread::sleep_for(Milliseconds(2));
  }
  BATON_RETURN_IF_ERROR(service.wait(job).status());
  times.proved_ms = watch.milliseconds();
  BATON_ASSIGN_OR_RETURN(const wire::StatusReply status, service.status());
  for (const wire::SlotStatus& slot : status.slots()) {
    times.slot_bytes += slot.capacity();
  }
  return times;
}

Result<RestartTimes> run_restart(const ServiceLoad& load) {
  BATON_ASSIGN_OR_RETURN(const std::unique_ptr<Service> service, Service::start(load));
  std::vector<std::uint64_t> jobs;
  for (unsigned i = 0; i < 2 * load.synth + 8; ++i) {
    BATON_ASSIGN_OR_RETURN(const std::uint64_t job, service->submit());
    jobs.push_back(job);
  }
  for (const std::uint64_t job : jobs) {
    BATON_RETURN_IF_ERROR(service->wait(job).status());
  }
  return kill_and_watch(*service);
}

}  // namespace

int restart_command(const ServiceLoad& load) {
  const auto times = run_restart(load);
  if (!times.is_ok()) {
    std::fprintf(stderr, "baton-bench: %s\n", times.status().to_string().c_str());
    return 1;
  }
  std::printf(
      "gpu-worker killed; ms after the kill: joined %.0f, %u slots of %.2f GiB together attached %.0f, key "
      "resident %.0f, first proof %.0f\n",
      times->joined_ms, times->segments, static_cast<double>(times->slot_bytes) / (1 << 30),
      times->attached_ms, times->resident_ms, times->proved_ms);
  return 0;
}

}  // namespace baton::bench
