#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "coordinator/coordinator.hpp"

namespace baton {

/// A worker as the coordinator sees it through messages and the kernel. It does what the contract's README
/// asks of one.
struct FakeWorker {
  struct Task {
    Attempt attempt;
    std::optional<Lease> lease;  ///< while the bytes are touched
    Lease granted;
    Generation fill_generation = 0;
    bool cancelled = false;
  };

  WorkerRole role{};
  std::uint32_t pid = 0;
  std::uint32_t lanes = 1;
  std::uint64_t nonce = 0;
  std::uint32_t announcement = 0;
  Epoch epoch = 0;
  SessionId session = 0;
  Incarnation incarnation = 0;
  std::string peer;
  bool alive = true;       ///< the process runs
  bool connected = false;  ///< has said HELLO to the present coordinator
  std::deque<wire::Envelope> inbox;
  std::map<SlotId, SegmentId> attached;
  std::vector<Task> tasks;
  std::vector<wire::Envelope> unacknowledged;
};

/// The coordinator's brain with everything around it simulated: workers, a client, the journal, shared memory
/// and time. Checks after every event that nobody touches bytes that are not theirs, and that jobs end once.
class World {
 public:
  explicit World(CoordinatorConfig config);

  // Workers.
  FakeWorker& start(WorkerRole role, std::uint32_t lanes = 1);
  void hello(FakeWorker& worker);
  /// The process is dead; the coordinator learns it through `report_death`.
  void kill(FakeWorker& worker);
  void report_death(FakeWorker& worker);
  /// Handles the next message in the worker's inbox; false when there is none.
  bool deliver(FakeWorker& worker);
  void deliver_all();
  void complete(FakeWorker& worker, FakeWorker::Task task, StatusCode code = StatusCode::kOk,
                wire::ProveFailure failure = wire::PROVE_FAILURE_TRANSIENT);
  void upload(FakeWorker& worker, FakeWorker::Task& task);
  void resend(FakeWorker& worker, const wire::Envelope& message);

  // The client.
  void submit(const std::string& key, const std::string& circuit,
              wire::Priority priority = wire::PRIORITY_NORMAL, std::uint64_t deadline_ms = 0);
  void cancel(JobId job);
  void ask(wire::Envelope message);
  [[nodiscard]] std::vector<wire::Envelope> take_replies() { return std::exchange(replies_, {}); }

  // The rest of the world.
  bool commit_one();
  void commit_all();
  bool segment_ready(const Status& status = Status::ok());
  void advance(Milliseconds duration);
  void stop(std::uint64_t grace_ms);
  void inject(const Event& event) { handle(event); }
  /// Everything that can happen without a failure happens, until nothing more does.
  void settle(int rounds = 1000);
  /// Another coordinator takes over: journal and ledger are all that is left. `crash_after`: the next event's
  /// actions are cut off after so many first.
  void restart();
  void crash_in_next_event(std::size_t after_actions) { crash_after_ = after_actions; }
  [[nodiscard]] bool has_crashed() const { return crashed_; }

  [[nodiscard]] const Coordinator& brain() const { return *brain_; }
  [[nodiscard]] std::vector<std::unique_ptr<FakeWorker>>& workers() { return workers_; }
  [[nodiscard]] FakeWorker* running(JobId job);
  [[nodiscard]] const std::map<JobId, wire::JobReply>& ended() const { return ended_; }
  [[nodiscard]] const std::map<JobId, JobRow>& accepted() const { return accepted_; }
  [[nodiscard]] LedgerWord word(SlotId slot) const { return unpack(ledger_->slots[slot].word); }
  [[nodiscard]] bool finished() const { return finished_; }
  [[nodiscard]] const std::set<std::uint32_t>& killed() const { return kills_; }
  [[nodiscard]] std::size_t pending_records() const { return records_.size(); }
  [[nodiscard]] std::size_t pending_segments() const { return creations_.size(); }
  [[nodiscard]] const std::vector<std::string>& violations() const { return violations_; }
  [[nodiscard]] int fills(JobId job) const { return fills_.contains(job) ? fills_.at(job) : 0; }

  /// Slots of the circuit hold `bytes` / 100 scalars.
  std::map<std::string, std::uint32_t> domains{{"/a", 4}, {"/b", 256}, {"/c", 1024}, {"/d", 4096}};

 private:
  struct Content {
    Generation seal = 0;
    JobId job = 0;
    std::string digest;
  };

  void handle(const Event& event);
  void execute(const Action& action);
  void check();
  void violated(std::string what) { violations_.push_back(std::move(what)); }
  void send(FakeWorker& worker, wire::Envelope message);
  void receive(FakeWorker& worker, const wire::Envelope& message);
  void receive_grant(FakeWorker& worker, const wire::Envelope& message);
  wire::Envelope completion(FakeWorker& worker, const FakeWorker::Task& task, StatusCode code,
                            wire::ProveFailure failure);
  void write(const JournalRecord& record);

  CoordinatorConfig config_;
  std::unique_ptr<Coordinator> brain_;
  std::unique_ptr<Ledger> ledger_ = std::make_unique<Ledger>();
  Instant now_ = Instant{} + Milliseconds(1000);
  std::vector<std::unique_ptr<FakeWorker>> workers_;
  std::map<std::string, FakeWorker*> peers_;
  std::map<Epoch, std::uint32_t> watched_;
  std::set<std::uint32_t> kills_;
  std::uint32_t last_pid_ = 100;
  std::uint64_t last_nonce_ = 0;

  std::deque<JournalRecord> records_;
  std::map<JobId, JobRow> accepted_;
  std::map<std::string, JobId> keys_;
  std::map<JobId, wire::JobReply> ended_;
  std::map<CircuitId, CircuitRow> circuits_;
  JobId last_job_ = 0;

  std::deque<CreateSegment> creations_;
  std::map<SlotId, Content> contents_;
  std::map<SlotId, Generation> generations_;
  std::map<JobId, int> fills_;
  std::vector<wire::Envelope> replies_;
  std::vector<std::string> violations_;
  std::optional<std::size_t> crash_after_;
  bool crashed_ = false;
  bool finished_ = false;
  std::uint64_t last_request_ = 0;
};

/// A configuration with short times and a small pool.
CoordinatorConfig test_config();

}  // namespace baton
