#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "shared/contract/codec.hpp"
#include "shared/segments/ledger_mapping.hpp"
#include "shared/support/clock.hpp"
#include "shared/support/log.hpp"
#include "shared/support/process_handle.hpp"
#include "shared/support/signals.hpp"
#include "shared/transport/poll_set.hpp"
#include "shared/worker/grant_table.hpp"
#include "shared/worker/outbox.hpp"
#include "shared/worker/worker_role.hpp"

namespace baton {

struct WorkerSessionOptions {
  std::string run_dir;
  WorkerRole role = WorkerRole::kSynth;
  MappingAccess slot_access = MappingAccess::kReadOnly;
  unsigned populate_threads = 1;  ///< for the page tables of attached segments
  bool end_with_parent = false;   ///< a private pipeline: ends with its parent or its coordinator
};

/// One life of a worker process towards its coordinators: HELLO, grants, results until they are acknowledged.
///
/// When the coordinator dies, work goes on; a socket with a fresh routing id announces to the next one what
/// is held, and from then on only its grants count (the old socket, with all that was queued, is gone).
/// Everything runs on the thread that calls `run`.
class WorkerSession {
 public:
  /// `signals` are those that mean "finish and go". `handler`, `outbox` and `log` outlive the session.
  static Result<std::unique_ptr<WorkerSession>> create(const WorkerSessionOptions& options, SignalFd signals,
                                                       WorkerRoleHandler& handler, Outbox& outbox, Log& log);
  WorkerSession(const WorkerSession&) = delete;
  WorkerSession& operator=(const WorkerSession&) = delete;
  ~WorkerSession();

  /// Serves until it is told to stop, and closes the socket; the process' exit code.
  int run();

  /// False while an attempt is under way. The process must then end without destroying what its threads use.
  [[nodiscard]] bool is_idle() const noexcept { return grants_.running() == 0; }

 private:
  WorkerSession(const WorkerSessionOptions& options, WorkerRoleHandler& handler, Outbox& outbox, Log& log,
                TransportContext context, SignalFd signals, ProcessIdentity self, std::uint64_t nonce);

  Status watch_parent();
  /// Opens a socket that no coordinator has seen and queues the announcement in it.
  Status connect();
  wire::Envelope make_hello();
  void handle_events(const std::vector<PollEvent>& events);
  void receive_all();
  void receive(const wire::Envelope& envelope);
  void on_welcome(const wire::Envelope& envelope);
  void on_reject(const wire::Reject& reject);
  void on_attach(const wire::Attach& attach);
  void on_detach(const wire::Detach& detach);
  void on_fill(const wire::Envelope& envelope);
  void on_prove(const wire::Envelope& envelope);
  void on_prepare(const wire::Envelope& envelope);
  void on_cancel(const wire::CancelAttempt& cancel);
  void on_shutdown(const wire::Shutdown& shutdown);
  void on_coordinator_death();
  void on_signal();
  void on_timers(Instant now);

  Status attach(const wire::Attach& attach);
  void detach_unused();
  /// Notes the grant and checks slot and ledger; null when it must not be carried out.
  const AttachedSlot* admit(const wire::Lease& lease, const wire::Attempt& attempt, std::uint32_t segment,
                            SlotState state);
  bool admit(const Attempt& attempt, const std::optional<Lease>& lease);
  void drain_outbox();
  void post_result(const wire::Envelope& envelope);
  void send(wire::Envelope envelope);
  void flush();
  void finish(int code) noexcept;
  void begin_drain(Milliseconds grace);
  void close() noexcept;
  [[nodiscard]] std::optional<Milliseconds> timeout(Instant now) const;

  const WorkerSessionOptions options_;
  WorkerRoleHandler& handler_;
  Outbox& outbox_;
  Log& log_;
  TransportContext context_;
  SignalFd signals_;
  const ProcessIdentity self_;
  const std::uint64_t nonce_;

  std::optional<DealerSocket> socket_;  // after context_: closed first
  PollSet poll_;
  std::optional<ProcessHandle> parent_;
  std::optional<ProcessHandle> coordinator_;
  std::deque<std::string> unsent_;
  std::uint32_t announcements_ = 0;
  std::optional<Instant> hello_again_;  ///< set while HELLO is unanswered

  SessionId session_ = 0;
  Incarnation incarnation_ = 0;
  Epoch epoch_ = 0;
  std::string shm_directory_;
  std::optional<LedgerMapping> ledger_;
  std::map<SlotId, AttachedSlot> slots_;
  std::vector<wire::Detach> detaching_;  ///< wait until no attempt uses the slot
  GrantTable grants_;

  std::optional<Instant> drain_until_;
  std::optional<int> exit_code_;
};

}  // namespace baton
