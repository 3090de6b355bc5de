#pragma once

#include <string>
#include <vector>

#include "client/private_directory.hpp"
#include "shared/support/child_process.hpp"

namespace baton {

struct PipelineOptions {
  unsigned threads = 0;        ///< of each worker; 0: all cores
  std::string backend;         ///< auto, cpu or cuda
  std::string fixed_blinding;  ///< for tests: see the gpu-worker's option of the same name
};

/// A coordinator, one synth-worker and one gpu-worker in a run directory of their own. They end with this
/// object, and with this process however it ends; nothing of them stays behind.
class PrivatePipeline {
 public:
  static Result<PrivatePipeline> start(const PipelineOptions& options);

  PrivatePipeline(PrivatePipeline&&) noexcept = default;
  PrivatePipeline& operator=(PrivatePipeline&&) = delete;
  ~PrivatePipeline();

  [[nodiscard]] const std::string& run_dir() const noexcept { return directory_.path(); }

  /// Readable when one of the processes has ended.
  [[nodiscard]] std::vector<int> descriptors() const;

 private:
  PrivatePipeline(PrivateDirectory directory, std::vector<ChildProcess> children)
      : directory_(std::move(directory)), children_(std::move(children)) {}

  PrivateDirectory directory_;          // removed after the processes have ended
  std::vector<ChildProcess> children_;  // the coordinator first
};

}  // namespace baton
