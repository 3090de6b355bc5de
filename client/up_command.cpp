#include <poll.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <optional>

#include "client/commands.hpp"
#include "client/program_paths.hpp"
#include "client/report.hpp"
#include "client/supervisor.hpp"
#include "client/worker_programs.hpp"
#include "shared/support/exit_codes.hpp"
#include "shared/support/posix.hpp"
#include "shared/support/signals.hpp"

namespace baton {

namespace {

/// How long jobs in work may take to end after the first signal; a second signal ends the wait.
constexpr Milliseconds kDrainGrace{60000};

Result<unsigned> number_of_gpu_workers(const std::string& text) {
  if (text == "auto" || text == "cpu") {
    return 1U;
  }
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0 || number > 64) {
    return invalid_input("--gpu " + text + ": expected auto, cpu or a number from 1 to 64");
  }
  return number;
}

SupervisedProgram supervised(std::string name, ChildOptions options) {
  options.new_group = true;  // a terminal's Ctrl-C comes to us, and we tell them
  options.parent_death_signal = SIGTERM;
  return {std::move(name), std::move(options)};
}

Status add_programs(const UpOptions& options, const std::string& run_dir, Supervisor& supervisor) {
  BATON_ASSIGN_OR_RETURN(const unsigned gpus, number_of_gpu_workers(options.gpu));
  BATON_ASSIGN_OR_RETURN(ChildOptions coordinator, coordinator_program(run_dir));
  BATON_RETURN_IF_ERROR(supervisor.add(supervised("coordinator", std::move(coordinator))));
  for (unsigned i = 0; i < options.synth; ++i) {
    BATON_ASSIGN_OR_RETURN(ChildOptions synth, synth_worker_program(run_dir, options.threads));
    BATON_RETURN_IF_ERROR(supervisor.add(supervised("synth-worker " + std::to_string(i), std::move(synth))));
  }
  for (unsigned i = 0; i < gpus; ++i) {
    const bool named = options.gpu == "auto" || options.gpu == "cpu";
    BATON_ASSIGN_OR_RETURN(ChildOptions gpu,
                           gpu_worker_program(run_dir, options.threads, named ? options.gpu : "cuda"));
    if (!named) {
      gpu.arguments.insert(gpu.arguments.end(), {"--device", std::to_string(i)});
    }
    BATON_RETURN_IF_ERROR(supervisor.add(supervised("gpu-worker " + std::to_string(i), std::move(gpu))));
  }
  return Status::ok();
}

/// Waits until a child ended, a restart is due, a signal came or `deadline` is there.
void wait_for_event(const Supervisor& supervisor, int signal_fd, std::optional<Instant> deadline) {
  std::vector<pollfd> entries{{signal_fd, POLLIN, 0}};
  for (const int fd : supervisor.descriptors()) {
    entries.push_back({fd, POLLIN, 0});
  }
  if (const auto start = supervisor.next_start(); start && (!deadline || *start < *deadline)) {
    deadline = start;
  }
  int timeout = -1;
  if (deadline) {
    timeout = static_cast<int>(
        std::max<Milliseconds::rep>(0, std::chrono::ceil<Milliseconds>(*deadline - now()).count()));
  }
  ::poll(entries.data(), entries.size(), timeout);
}

Status serve_until_signal(Supervisor& supervisor, SignalFd& signals) {
  while (!signals.take()) {
    BATON_RETURN_IF_ERROR(supervisor.tend());
    wait_for_event(supervisor, signals.fd(), std::nullopt);
  }
  return Status::ok();
}

/// The coordinator drains: workers finish what they hold, and it tells them to end. Those that are left when
/// it has ended are told by signal.
Status drain(Supervisor& supervisor, SignalFd& signals) {
  supervisor.stop_restarting();
  supervisor.signal_first(SIGTERM);
  const Instant deadline = now() + kDrainGrace;
  bool workers_told = false;
  while (!supervisor.all_ended()) {
    if (signals.take() || deadline <= now()) {
      supervisor.signal_all(SIGKILL);
    } else if (supervisor.first_ended() && !workers_told) {
      workers_told = true;
      supervisor.signal_all(SIGTERM);
    }
    wait_for_event(supervisor, signals.fd(), std::max(deadline, now() + Milliseconds(100)));
    BATON_RETURN_IF_ERROR(supervisor.tend());
  }
  return Status::ok();
}

Status serve(const UpOptions& options) {
  const std::string run_dir = default_run_directory(options.run_dir);
  BATON_RETURN_IF_ERROR(make_private_directory(run_dir));
  BATON_ASSIGN_OR_RETURN(SignalFd signals, SignalFd::create({SIGINT, SIGTERM}));
  Supervisor supervisor(options.quiet);
  Status status = add_programs(options, run_dir, supervisor);
  if (status.is_ok()) {
    if (!options.quiet) {
      std::printf("baton: serving in %s; Ctrl-C drains\n", run_dir.c_str());
      std::fflush(stdout);
    }
    status = serve_until_signal(supervisor, signals);
  }
  const Status drained = drain(supervisor, signals);
  return status.is_ok() ? drained : status;
}

}  // namespace

int run_command(const UpOptions& options) {
  const Status status = serve(options);
  return status.is_ok() ? exit_code::kOk : report_failure(status);
}

}  // namespace baton
