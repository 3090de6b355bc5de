#include "client/private_pipeline.hpp"

#include <csignal>
#include <utility>

#include "client/worker_programs.hpp"

namespace baton {

namespace {

/// The coordinator sweeps its segments when it is told to end; should this process be killed, that tells it.
constexpr int kEnd = SIGTERM;
/// Longest wait for the coordinator's sweep before it is killed.
constexpr int kSweepMilliseconds = 5000;

Result<ChildProcess> start_child(ChildOptions options, int parent_death_signal) {
  options.arguments.push_back("--private");
  options.parent_death_signal = parent_death_signal;
  options.new_group = true;  // Ctrl-C reaches this process alone, which then ends the pipeline in order
  return ChildProcess::start(options);
}

}  // namespace

Result<PrivatePipeline> PrivatePipeline::start(const PipelineOptions& options) {
  BATON_ASSIGN_OR_RETURN(PrivateDirectory directory, PrivateDirectory::make());
  const std::string& run_dir = directory.path();
  BATON_ASSIGN_OR_RETURN(ChildOptions coordinator, coordinator_program(run_dir));
  BATON_ASSIGN_OR_RETURN(ChildOptions synth, synth_worker_program(run_dir, options.threads));
  BATON_ASSIGN_OR_RETURN(ChildOptions gpu, gpu_worker_program(run_dir, options.threads, options.backend));
  if (!options.fixed_blinding.empty()) {
    gpu.arguments.insert(gpu.arguments.end(), {"--insecure-fixed-blinding", options.fixed_blinding});
  }
  std::vector<ChildProcess> children;
  BATON_ASSIGN_OR_RETURN(ChildProcess coordinator_child, start_child(std::move(coordinator), kEnd));
  children.push_back(std::move(coordinator_child));
  BATON_ASSIGN_OR_RETURN(ChildProcess gpu_child, start_child(std::move(gpu), SIGKILL));
  children.push_back(std::move(gpu_child));
  BATON_ASSIGN_OR_RETURN(ChildProcess synth_child, start_child(std::move(synth), SIGKILL));
  children.push_back(std::move(synth_child));
  return PrivatePipeline(std::move(directory), std::move(children));
}

PrivatePipeline::~PrivatePipeline() {
  if (children_.empty()) {
    return;
  }
  ChildProcess& coordinator = children_.front();
  coordinator.signal(kEnd);
  for (std::size_t i = 1; i < children_.size(); ++i) {
    children_[i].signal(SIGKILL);
  }
  coordinator.wait(kSweepMilliseconds);
}

std::vector<int> PrivatePipeline::descriptors() const {
  std::vector<int> fds;
  for (const ChildProcess& child : children_) {
    fds.push_back(child.pidfd());
  }
  return fds;
}

}  // namespace baton
