#include "tests/benchmark/bench/service.hpp"

#include <csignal>
#include <thread>

#include "client/job_requests.hpp"
#include "client/program_paths.hpp"
#include "client/service_connection.hpp"

namespace baton::bench {

namespace {

constexpr Milliseconds kStart{20000};
constexpr int kStopMilliseconds = 70000;

}  // namespace

Result<std::unique_ptr<Service>> Service::start(const ServiceLoad& load) {
  BATON_ASSIGN_OR_RETURN(PrivateDirectory directory, PrivateDirectory::make());
  const std::string& run_dir = directory.path();
  ChildOptions options;
  BATON_ASSIGN_OR_RETURN(options.program, sibling_program("baton"));
  options.arguments = {"up",        "--quiet",
                       "--run-dir", run_dir,
                       "--synth",   std::to_string(load.synth),
                       "--gpu",     load.gpu,
                       "--threads", std::to_string(load.threads)};
  options.parent_death_signal = SIGTERM;
  BATON_ASSIGN_OR_RETURN(ChildProcess supervisor, ChildProcess::start(options));
  const Instant deadline = now() + kStart;
  while (!service_is_running(run_dir)) {
    if (now() > deadline || supervisor.wait(10)) {
      return Status(StatusCode::kUnavailable, run_dir + ": the service has not started");
    }
  }
  BATON_ASSIGN_OR_RETURN(CoordinatorClient client, CoordinatorClient::connect(run_dir));
  return std::unique_ptr<Service>(
      new Service(load, std::move(directory), std::move(supervisor), std::move(client)));
}

Service::~Service() {
  supervisor_.signal(SIGTERM);
  supervisor_.wait(kStopMilliseconds);
}

Result<std::uint64_t> Service::submit() {
  ProofFiles files;
  files.key = load_.key;
  files.witness = load_.witness;
  BATON_ASSIGN_OR_RETURN(const std::string key, fresh_job_key());
  wire::Envelope request;
  BATON_ASSIGN_OR_RETURN(*request.mutable_submit(), make_submit(files, key));
  BATON_ASSIGN_OR_RETURN(const wire::Envelope reply, client_.call(std::move(request), answer_deadline()));
  return reply.accepted().job();
}

Result<wire::JobReply> Service::wait(std::uint64_t job) {
  BATON_ASSIGN_OR_RETURN(wire::JobReply reply,
                         follow(client_, job, std::nullopt, [](const wire::JobReply&) {}));
  BATON_RETURN_IF_ERROR(outcome_of(reply));
  return reply;
}

Result<wire::StatusReply> Service::status() {
  wire::Envelope request;
  request.mutable_status_request();
  BATON_ASSIGN_OR_RETURN(wire::Envelope reply, client_.call(std::move(request), answer_deadline()));
  return std::move(*reply.mutable_status_reply());
}

Result<std::optional<wire::WorkerStatus>> Service::gpu_worker() {
  BATON_ASSIGN_OR_RETURN(const wire::StatusReply reply, status());
  for (const wire::WorkerStatus& worker : reply.workers()) {
    if (worker.role() == wire::ROLE_GPU && worker.state() == "ready") {
      return std::optional<wire::WorkerStatus>(worker);
    }
  }
  return std::optional<wire::WorkerStatus>();
}

}  // namespace baton::bench
