#pragma once

#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "shared/support/clock.hpp"
#include "shared/support/event_fd.hpp"
#include "shared/support/log.hpp"
#include "shared/worker/outbox.hpp"
#include "shared/worker/worker_role.hpp"
#include "synth-worker/circuit_cache.hpp"

namespace baton {

/// The synth-worker's half of a session: one thread carries out FILLs and PREPAREs in the order of their
/// grants, with as many threads of oneTBB as the process may use.
class SynthWorker final : public WorkerRoleHandler {
 public:
  static Result<std::unique_ptr<SynthWorker>> create(Outbox& outbox, const Log& log);
  ~SynthWorker() override;

  void describe(wire::Hello& hello) override;
  void welcomed(const wire::Welcome& welcome, const Ledger& ledger) override;
  Status attached(const AttachedSlot& slot) override;
  void detaching(const AttachedSlot& slot) override;
  void handle(const wire::Envelope& message, const AttachedSlot* slot) override;
  void cancel(const Attempt& attempt) override;

 private:
  struct Task {
    wire::Envelope message;
    const AttachedSlot* slot = nullptr;
    Attempt attempt;
    Instant received;
    EventFd cancelled;
  };

  SynthWorker(Outbox& outbox, const Log& log) noexcept : outbox_(outbox), log_(log) {}

  void serve();
  wire::Envelope fill(const Task& task, const std::string& cache_directory);
  wire::Envelope prepare(const Task& task, const std::string& cache_directory);

  Outbox& outbox_;
  const Log& log_;
  CircuitCache circuits_;  ///< of the serving thread

  std::mutex mutex_;
  std::condition_variable wake_;
  std::list<Task> tasks_;        // guarded by mutex_; the first stays in place while it is carried out
  std::string cache_directory_;  // guarded by mutex_
  bool stopping_ = false;        // guarded by mutex_
  std::thread thread_;
};

}  // namespace baton
