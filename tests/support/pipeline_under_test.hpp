#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/leak_check.hpp"
#include "tests/support/process_under_test.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/test_client.hpp"

namespace baton::test {

/// A coordinator in a run directory of its own, and the workers that a test gives it.
class PipelineUnderTest {
 public:
  explicit PipelineUnderTest(std::vector<std::string> coordinator_arguments = {},
                             ProcessUnderTest::Environment environment = {});

  [[nodiscard]] const std::string& run_dir() const noexcept { return directory_.path(); }
  [[nodiscard]] ProcessUnderTest& coordinator() noexcept { return *coordinator_; }

  /// Starts a worker; `faults` arms fault points in it ("point=action@n").
  ProcessUnderTest& add_synth(const std::string& faults = {});
  ProcessUnderTest& add_gpu(const std::string& faults = {});
  /// A gpu-worker on the first CUDA device.
  ProcessUnderTest& add_cuda(const std::string& faults = {});

  /// The client of the test; connected anew after a restart of the coordinator.
  [[nodiscard]] TestClient& client() noexcept { return *client_; }

  /// A new coordinator in the same run directory.
  void restart_coordinator();

  /// Everything that the processes have printed: for messages of failed expectations.
  [[nodiscard]] std::string log() const;

  /// Drains by SIGTERM to the coordinator and waits for every process. What went wrong, one line each: exit
  /// codes other than zero, a hung process, a leak. Processes that a test has killed are expected to be dead.
  std::string stop();

 private:
  ProcessUnderTest& add_worker(const std::string& program, const std::string& faults,
                               std::vector<std::string> more);

  LeakCheck leak_check_;  // first: it looks before anything is made
  TemporaryDirectory directory_;
  std::vector<std::string> coordinator_arguments_;
  ProcessUnderTest::Environment environment_;
  std::unique_ptr<ProcessUnderTest> coordinator_;
  std::optional<TestClient> client_;
  std::list<ProcessUnderTest> workers_;
};

}  // namespace baton::test
