#include "tests/support/pipeline_under_test.hpp"

#include <csignal>

namespace baton::test {

PipelineUnderTest::PipelineUnderTest(std::vector<std::string> coordinator_arguments,
                                     ProcessUnderTest::Environment environment)
    : coordinator_arguments_(std::move(coordinator_arguments)), environment_(std::move(environment)) {
  coordinator_arguments_.insert(coordinator_arguments_.begin(), {"--run-dir", run_dir()});
  restart_coordinator();
}

void PipelineUnderTest::restart_coordinator() {
  coordinator_.reset();
  coordinator_ =
      std::make_unique<ProcessUnderTest>("baton-coordinator", coordinator_arguments_, environment_);
  client_.emplace(run_dir());
}

ProcessUnderTest& PipelineUnderTest::add_worker(const std::string& program, const std::string& faults,
                                                std::vector<std::string> more) {
  std::vector<std::string> arguments = {"--run-dir", run_dir(), "--threads", "1"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return workers_.emplace_back(program, arguments, ProcessUnderTest::Environment{{"BATON_FAULTS", faults}});
}

ProcessUnderTest& PipelineUnderTest::add_synth(const std::string& faults) {
  return add_worker("baton-synth-worker", faults, {});
}

ProcessUnderTest& PipelineUnderTest::add_gpu(const std::string& faults) {
  return add_worker("baton-gpu-worker", faults, {"--backend", "cpu"});
}

ProcessUnderTest& PipelineUnderTest::add_cuda(const std::string& faults) {
  return add_worker("baton-gpu-worker", faults, {"--backend", "cuda"});
}

std::string PipelineUnderTest::log() const {
  std::string text = "--- coordinator\n" + coordinator_->output();
  for (const ProcessUnderTest& worker : workers_) {
    text += "--- worker " + std::to_string(worker.pid()) + "\n" + worker.output();
  }
  return text;
}

std::string PipelineUnderTest::stop() {
  std::string problems;
  const auto expect_end = [&](ProcessUnderTest& process, const char* name) {
    const auto exit = process.wait_for_exit();
    if (!exit) {
      problems += std::string(name) + " hangs\n";
    } else if (!exit->success() && !(exit->signalled && exit->code == SIGKILL)) {
      problems += std::string(name) + ": " + exit->to_string() + "\n";
    }
  };
  coordinator_->signal(SIGTERM);
  expect_end(*coordinator_, "coordinator");
  for (ProcessUnderTest& worker : workers_) {
    expect_end(worker, "worker");
  }
  const std::string all = problems.empty() ? std::string() : log();
  workers_.clear();
  client_.reset();
  coordinator_.reset();
  return problems + leak_check_.leaks(run_dir()) + all;
}

}  // namespace baton::test
