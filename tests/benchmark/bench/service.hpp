#pragma once

#include <memory>
#include <optional>
#include <string>

#include "client/coordinator_client.hpp"
#include "client/private_directory.hpp"
#include "shared/support/child_process.hpp"
#include "shared/support/result.hpp"

namespace baton::bench {

struct ServiceLoad {
  std::string key;
  std::string witness;
  unsigned synth = 8;
  unsigned threads = 1;   ///< of each worker
  std::string gpu = "1";  ///< as for `baton up`
};

/// `baton up` with its workers, in a run directory of its own, and a client of it. Ends with the object.
class Service {
 public:
  static Result<std::unique_ptr<Service>> start(const ServiceLoad& load);
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service();

  /// The number of the job, once it is accepted.
  Result<std::uint64_t> submit();
  /// Waits for the end; its failure when it did not succeed.
  Result<wire::JobReply> wait(std::uint64_t job);
  Result<wire::StatusReply> status();
  /// The gpu-worker as `status` shows it; nothing when there is none.
  Result<std::optional<wire::WorkerStatus>> gpu_worker();

 private:
  Service(const ServiceLoad& load, PrivateDirectory directory, ChildProcess supervisor,
          CoordinatorClient client)
      : load_(load),
        directory_(std::move(directory)),
        supervisor_(std::move(supervisor)),
        client_(std::move(client)) {}

  ServiceLoad load_;
  PrivateDirectory directory_;
  ChildProcess supervisor_;
  CoordinatorClient client_;
};

}  // namespace baton::bench
