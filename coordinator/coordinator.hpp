#pragma once

#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "coordinator/actions.hpp"
#include "coordinator/circuit_registry.hpp"
#include "coordinator/config.hpp"
#include "coordinator/counters.hpp"
#include "coordinator/events.hpp"
#include "coordinator/job_queue.hpp"
#include "coordinator/lease_table.hpp"
#include "coordinator/worker_registry.hpp"

namespace baton {

/// The brain: a pure function of events and time, with everything it knows in memory. It never blocks, reads
/// no clock and touches nothing outside; what it wants done it appends to `out`, to be carried out in that
/// order.
class Coordinator {
 public:
  explicit Coordinator(CoordinatorConfig config);

  /// Goes on where another coordinator of the session stopped (or from the journal alone, with an empty
  /// ledger). Called once, first. The caller then watches the workers of the ledger and reports those that
  /// are gone.
  void adopt(const Ledger& ledger, const JournalImage& image, Instant now, Actions& out);

  void handle(const Event& event, Instant now, Actions& out);

  /// When a Tick is due; Instant::max(): never.
  [[nodiscard]] Instant next_time() const;

  // For tests and status.
  [[nodiscard]] const LeaseTable& slots() const noexcept { return slots_; }
  [[nodiscard]] const WorkerRegistry& workers() const noexcept { return workers_; }
  [[nodiscard]] const JobQueue& jobs() const noexcept { return jobs_; }
  [[nodiscard]] const Counters& counters() const noexcept { return counters_; }
  [[nodiscard]] const std::unordered_map<CircuitId, Circuit>& circuits() const noexcept {
    return circuits_.all();
  }
  [[nodiscard]] bool is_draining() const noexcept { return draining_; }

 private:
  using LoadedKeys = google::protobuf::RepeatedPtrField<wire::LoadedKey>;
  enum class PendingKind : std::uint8_t { kAccept, kEnd, kFind };
  /// What happens when the journal has answered a ticket.
  struct Pending {
    PendingKind kind{};
    JobId job = 0;
    Epoch worker = 0;  ///< gets ACK of `attempt`
    Attempt attempt;
    std::string peer;  ///< asked for a job that has left memory
    std::uint64_t request = 0;
  };

  // Events (coordinator.cpp).
  void on(const FromWorker& event);
  void on(const FromClient& event);
  void on(const BadFrame& event);
  void on(const WorkerEnded& event);
  void on(const SendFailed& event);
  void on(const SegmentReady& event);
  void on(const JournalAnswered& event);
  void on(const Tick& event);
  void on(const StopRequested& event);

  // Messages of workers: worker_handlers.cpp, result_handlers.cpp.
  void on_hello(const FromWorker& event);
  void on_attached(Worker& worker, const wire::Attached& message);
  void on_detached(Worker& worker, const wire::Detached& message);
  void on_preloaded(Worker& worker, const wire::Preloaded& message);
  static void note_resident(Worker& worker, const LoadedKeys& keys, const std::string& backend);
  void on_bye(Worker& worker, const wire::Bye& message);
  void on_prepared(Worker& worker, const wire::Prepared& message);
  void on_prepare_failed(Worker& worker, const wire::PrepareFailed& message);
  void on_filled(Worker& worker, const wire::Filled& message);
  void on_fill_failed(Worker& worker, const wire::FillFailed& message);
  void on_uploaded(Worker& worker, const wire::Uploaded& message);
  void on_proved(Worker& worker, const wire::Proved& message);
  void on_prove_failed(Worker& worker, const wire::ProveFailed& message);

  // Messages of clients (client_handlers.cpp).
  void on_submit(const FromClient& event, const wire::Submit& message);
  void on_job_query(const FromClient& event, const wire::JobQuery& message);
  void on_job_wait(const FromClient& event, const wire::JobWait& message);
  void on_cancel_job(const FromClient& event, const wire::CancelJob& message);
  void on_job_list(const FromClient& event, const wire::JobList& message);
  void on_circuit_add(const FromClient& event, const wire::CircuitAdd& message);
  void on_circuit_list(const FromClient& event);
  void on_circuit_info(const FromClient& event, const wire::CircuitInfo& message);
  void on_circuit_remove(const FromClient& event, const wire::CircuitRemove& message);
  void on_status_request(const FromClient& event);
  void on_drain(const FromClient& event, const wire::Drain& message);

  // Journal answers (journal_handlers.cpp).
  void on_accepted(JobId id);
  void on_end_committed(const Pending& pending);
  void on_existing(const Pending& pending, const JobRow& row);
  void on_found(const Pending& pending, const std::optional<JobRow>& row);

  // Workers' lives (worker_handlers.cpp).
  [[nodiscard]] Status check_hello(const FromWorker& event) const;
  void reject(const std::string& peer, const Status& status);
  void welcome(Worker& worker);
  void reconcile(Worker& worker, const wire::Hello& hello);
  void reconcile_segments(Worker& worker, const wire::Hello& hello);
  void adopt_announced(Worker& worker, const Attempt& attempt, const std::optional<Lease>& lease);
  void worker_gone(Epoch epoch, bool killed_by_us);
  void task_lost(Worker& worker, const Task& task, SlotEvent for_fill, SlotEvent for_prove);
  void resume_held(Epoch epoch);
  void adopt_job(const JobRow& row);
  void adopt_slot(SlotId slot, const SlotEntry& entry);
  void doom(Worker& worker, Task& task);
  void check_deadlines();

  // Attempts and jobs (job_flow.cpp).
  Job* open_job(const Attempt& attempt);
  void set_stage(Job& job, JobStage stage);
  void retry(Job& job, bool back_off);
  void fail_attempt(Job& job, const Status& status, bool final);
  void end_job(Job& job, wire::JobState state, const Status& status, Epoch ack_worker = 0, Attempt ack = {});
  void cancel_task(const Job& job);
  void ack(Worker& worker, const Attempt& attempt);
  void notify(Job& job);
  void add_watcher(Job& job, const FromClient& event, bool every_change, std::uint64_t timeout_ms);
  void expire_watchers();
  [[nodiscard]] wire::JobReply reply_of(const Job& job) const;

  // Circuits (circuit_flow.cpp).
  Circuit* circuit_for(const wire::Submit& submit, Status& refusal);
  void want_prepared(Circuit& circuit);
  void requeue_circuit(Circuit& circuit, const Status& why, bool strike);
  void fail_circuit(Circuit& circuit, const Status& status);
  void circuit_ready(Circuit& circuit, const wire::Circuit& info);
  void replace_circuit(Job& job);
  void preload(Circuit& circuit);
  void preload_all(Worker& worker);
  void answer_circuit_watchers(Circuit& circuit);
  void drop_if_unused(CircuitId id);
  void forget_circuit(CircuitId id);
  [[nodiscard]] wire::CircuitEntry entry_of(const Circuit& circuit) const;
  void journal_circuit(const Circuit& circuit);

  // Slots (slot_flow.cpp).
  bool move(SlotId slot, SlotEvent event, Epoch owner = 0);
  void settle(SlotId slot);
  void attach(Worker& worker, SlotId slot);
  void detach_all(SlotId slot);
  void release_if_unheld(SlotId slot);
  bool grow(const Job& job, const Circuit& circuit);
  bool make_room(std::uint64_t bytes);
  [[nodiscard]] std::uint32_t slots_wanted() const;
  [[nodiscard]] bool can_grow(const Circuit& circuit) const;

  // Pairing (grants.cpp).
  void schedule();
  void schedule_preparations();
  void schedule_proves();
  void schedule_fills();
  bool try_fill(Job& job);
  SlotId preempt_for(const Job& job, const Circuit& circuit);
  void grant_prepare(Circuit& circuit, Worker& worker);
  void grant_fill(Job& job, Circuit& circuit, Worker& worker, SlotId slot);
  void grant_prove(Job& job, Circuit& circuit, Worker& worker);
  void remember_grant(Job& job, Worker& worker, Task task);

  // Leaving (drain.cpp).
  void begin_drain(Milliseconds grace);
  void advance_drain();
  [[nodiscard]] bool has_work() const;

  // Output.
  void emit(Action action) { out_->push_back(std::move(action)); }
  wire::Envelope envelope() const;
  void send(Worker& worker, wire::Envelope message);
  void reply(const FromClient& to, wire::Envelope message);
  void reply_to(const std::string& peer, std::uint64_t request, wire::Envelope message);
  void refuse(const FromClient& to, const Status& status);
  void store(SlotId slot) { emit(StoreSlot{slot, slots_.entry(slot)}); }
  void log(LogLevel level, std::string text, const LogFields& fields = {});
  Ticket expect(Pending pending);

  CoordinatorConfig config_;
  LeaseTable slots_;
  WorkerRegistry workers_;
  JobQueue jobs_;
  CircuitRegistry circuits_;
  Counters counters_;

  std::unordered_map<Ticket, Pending> pending_;
  Ticket last_ticket_ = 0;
  JobId last_job_ = 0;
  SegmentId last_segment_ = 0;
  std::uint64_t grants_ = 0;
  std::uint64_t uses_ = 0;
  std::set<CircuitId> to_prepare_;
  std::unordered_map<CircuitId, std::vector<Watcher>> circuit_watchers_;
  std::unordered_map<JobId, std::vector<Watcher>> acceptors_;
  std::set<std::tuple<Instant, JobId, std::string, std::uint64_t>> wait_ends_;
  std::string journal_failure_;  ///< why nothing can be accepted any more

  bool draining_ = false;
  bool shutdown_sent_ = false;
  bool finished_ = false;
  Instant drain_until_ = Instant::max();

  // Valid while `handle` or `adopt` runs.
  Instant now_{};
  Instant started_{};
  Actions* out_ = nullptr;
};

}  // namespace baton
