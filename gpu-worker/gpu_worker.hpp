#pragma once

#include <condition_variable>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "gpu-worker/prove_job.hpp"
#include "shared/support/log.hpp"
#include "shared/worker/outbox.hpp"
#include "shared/worker/worker_role.hpp"

namespace baton {

/// The gpu-worker's half of a session: one thread a lane proves, one more loads keys ahead of their proofs.
/// Slots are registered with the backend while they are attached.
class GpuWorker final : public WorkerRoleHandler {
 public:
  /// `lanes` is at most the backend's. What `context` refers to outlives the worker.
  GpuWorker(const ProveContext& context, unsigned lanes, Outbox& outbox, const Log& log);
  GpuWorker(const GpuWorker&) = delete;
  GpuWorker& operator=(const GpuWorker&) = delete;
  ~GpuWorker() override;

  void describe(wire::Hello& hello) override;
  void welcomed(const wire::Welcome& welcome, const Ledger& ledger) override;
  Status attached(const AttachedSlot& slot) override;
  void detaching(const AttachedSlot& slot) override;
  void handle(const wire::Envelope& message, const AttachedSlot* slot) override;
  void cancel(const Attempt& attempt) override;

 private:
  struct Task {
    wire::Prove request;
    const AttachedSlot* slot = nullptr;
  };

  void serve_lane(unsigned lane);
  void serve_loads();
  void prove(unsigned lane, const Task& task);
  void load(const wire::Circuit& circuit);

  const ProveContext context_;
  const unsigned lanes_;
  Outbox& outbox_;
  const Log& log_;
  std::map<SlotId, std::unique_ptr<RegisteredRange>> registered_;  ///< of the session's thread

  std::mutex mutex_;
  std::condition_variable wake_lanes_;
  std::condition_variable wake_loader_;
  std::list<Task> waiting_;         // guarded by mutex_
  std::list<wire::Circuit> loads_;  // guarded by mutex_
  const Ledger* ledger_ = nullptr;  // guarded by mutex_
  bool stopping_ = false;           // guarded by mutex_
  std::vector<std::thread> threads_;
};

}  // namespace baton
