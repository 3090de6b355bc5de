#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "coordinator/coordinator.hpp"
#include "coordinator/options.hpp"
#include "coordinator/session.hpp"
#include "shared/support/log.hpp"
#include "shared/support/process_handle.hpp"
#include "shared/support/signals.hpp"
#include "shared/transport/poll_set.hpp"
#include "shared/transport/router_socket.hpp"
#include "shared/transport/transport_context.hpp"

namespace baton {

/// Turns sockets, pidfds, signals and time into the brain's events, and its actions into deeds. One thread;
/// nothing in it blocks but the wait itself.
class EventLoop {
 public:
  static Result<std::unique_ptr<EventLoop>> create(const CoordinatorOptions& options, Session& session,
                                                   SignalFd signals, const Log& log);

  /// Until the brain has finished; the exit code.
  int run();

 private:
  EventLoop(const CoordinatorOptions& options, Session& session, SignalFd signals, const Log& log,
            TransportContext context, RouterSocket workers, RouterSocket clients);

  void adopt();
  Status watch_parent();
  void wait();
  void receive(RouterSocket& socket, bool from_worker);
  void take_hello(const std::string& peer, wire::Envelope message);
  void take_signals();
  void take_journal_replies();
  void take_segments();
  void worker_ended(Epoch epoch);

  void handle(const Event& event);
  void execute(Action& action);
  void act(SendToWorker& action);
  void act(SendToClient& action);
  void act(const StoreSlot& action);
  void act(const StoreWorker& action);
  void act(JournalRecord& action);
  void act(const WatchWorker& action);
  void act(const ForgetWorker& action);
  void act(const KillWorker& action);
  void act(const CreateSegment& action);
  void act(const DropSegment& action);
  void act(const WriteLog& action);
  void act(const Finish& action);
  bool send(RouterSocket& socket, const std::string& peer, wire::Envelope& message);
  void watch(Epoch epoch, ProcessHandle process);

  const CoordinatorOptions& options_;
  Session& session_;
  const Log& log_;
  Coordinator brain_;
  TransportContext context_;
  RouterSocket workers_;
  RouterSocket clients_;
  PollSet poll_;
  SignalFd signals_;
  std::optional<ProcessHandle> parent_;
  std::unordered_map<Epoch, ProcessHandle> processes_;
  std::unordered_map<std::string, ProcessHandle> hellos_;  ///< opened for a HELLO that the brain looks at
  std::deque<Event> backlog_;                              ///< what came up while actions were carried out
  Actions actions_;
  bool finished_ = false;
};

}  // namespace baton
