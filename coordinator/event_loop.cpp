#include "coordinator/event_loop.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "shared/contract/codec.hpp"
#include "shared/contract/names.hpp"
#include "shared/support/clock.hpp"
#include "shared/support/exit_codes.hpp"
#include "shared/support/fault_point.hpp"

namespace baton {

namespace {

constexpr std::uint64_t kWorkers = 0;
constexpr std::uint64_t kClients = 1;
constexpr std::uint64_t kSignals = 2;
constexpr std::uint64_t kJournal = 3;
constexpr std::uint64_t kSegments = 4;
constexpr std::uint64_t kParent = 5;
constexpr std::uint64_t kFirstProcess = 1000;  ///< + epoch

/// Messages of one socket handled before the others are looked at again.
constexpr int kMessagesPerTurn = 256;
/// Answers queued for one client that does not read.
constexpr int kClientQueue = 100'000;

}  // namespace

Result<std::unique_ptr<EventLoop>> EventLoop::create(const CoordinatorOptions& options, Session& session,
                                                     SignalFd signals, const Log& log) {
  BATON_ASSIGN_OR_RETURN(TransportContext context, TransportContext::create());
  SocketOptions socket;
  socket.max_message_bytes = kMaxFrameBytes;
  socket.high_water_mark = kClientQueue;
  BATON_ASSIGN_OR_RETURN(RouterSocket workers,
                         RouterSocket::bind(context, worker_socket_path(options.run_dir), 0600, socket));
  BATON_ASSIGN_OR_RETURN(RouterSocket clients,
                         RouterSocket::bind(context, client_socket_path(options.run_dir), 0660, socket));
  std::unique_ptr<EventLoop> loop(new EventLoop(options, session, std::move(signals), log, std::move(context),
                                                std::move(workers), std::move(clients)));
  BATON_RETURN_IF_ERROR(loop->watch_parent());
  loop->adopt();
  return loop;
}

EventLoop::EventLoop(const CoordinatorOptions& options, Session& session, SignalFd signals, const Log& log,
                     TransportContext context, RouterSocket workers, RouterSocket clients)
    : options_(options),
      session_(session),
      log_(log),
      brain_(options.config),
      context_(std::move(context)),
      workers_(std::move(workers)),
      clients_(std::move(clients)),
      signals_(std::move(signals)) {
  poll_.watch(workers_, kWorkers);
  poll_.watch(clients_, kClients);
  poll_.watch_fd(signals_.fd(), kSignals);
  poll_.watch_fd(session_.segments().fd(), kSegments);
  if (session_.journal().fd() >= 0) {
    poll_.watch_fd(session_.journal().fd(), kJournal);
  }
}

/// A private pipeline ends with whoever started it, however that ends.
Status EventLoop::watch_parent() {
  if (!options_.is_private) {
    return Status::ok();
  }
  const pid_t parent = ::getppid();
  BATON_ASSIGN_OR_RETURN(const std::uint64_t start_time, process_start_time(parent));
  BATON_ASSIGN_OR_RETURN(ProcessHandle handle, ProcessHandle::open({parent, start_time}));
  parent_ = std::move(handle);
  poll_.watch_fd(parent_->fd(), kParent);
  return Status::ok();
}

/// The processes are watched before the brain may want one of them killed.
void EventLoop::adopt() {
  for (const WorkerEntry& entry : session_.ledger().workers) {
    if (entry.epoch == 0) {
      continue;
    }
    Result<ProcessHandle> process = ProcessHandle::open({static_cast<pid_t>(entry.pid), entry.start_time});
    if (process.is_ok()) {
      watch(entry.epoch, std::move(process).value());
    } else {
      backlog_.emplace_back(WorkerEnded{entry.epoch});
    }
  }
  brain_.adopt(session_.ledger(), session_.image(), now(), actions_);
  Actions actions = std::exchange(actions_, {});
  for (Action& action : actions) {
    execute(action);
  }
  handle(Tick{});
}

int EventLoop::run() {
  while (!finished_) {
    wait();
  }
  session_.journal().flush();
  return exit_code::kOk;
}

void EventLoop::wait() {
  std::optional<Milliseconds> timeout;
  if (const Instant next = brain_.next_time(); next != Instant::max()) {
    timeout = std::max(Milliseconds(0), std::chrono::ceil<Milliseconds>(next - now()));
  }
  const Result<std::vector<PollEvent>> ready = poll_.wait(timeout);
  if (!ready.is_ok()) {
    log_.error(ready.status().to_string());
    finished_ = true;
    return;
  }
  // A worker's last words come before its death.
  std::vector<PollEvent> events = *ready;
  std::sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.token < b.token; });
  for (const PollEvent& event : events) {
    if (event.token == kWorkers) {
      receive(workers_, true);
    } else if (event.token == kClients) {
      receive(clients_, false);
    } else if (event.token == kSignals) {
      take_signals();
    } else if (event.token == kJournal) {
      take_journal_replies();
    } else if (event.token == kSegments) {
      take_segments();
    } else if (event.token == kParent) {
      poll_.unwatch(kParent);
      handle(StopRequested{0});
    } else if (event.token >= kFirstProcess) {
      worker_ended(static_cast<Epoch>(event.token - kFirstProcess));
    }
  }
  if (now() >= brain_.next_time()) {
    handle(Tick{});
  }
}

void EventLoop::receive(RouterSocket& socket, bool from_worker) {
  for (int i = 0; i < kMessagesPerTurn; ++i) {
    Result<std::optional<RoutedMessage>> received = socket.receive();
    if (!received.is_ok()) {
      log_.warn(received.status().to_string());
      return;
    }
    if (!received->has_value()) {
      return;
    }
    RoutedMessage& message = **received;
    Result<wire::Envelope> envelope = decode(message.body);
    if (!envelope.is_ok()) {
      handle(BadFrame{message.peer, from_worker, envelope.status()});
    } else if (!from_worker) {
      handle(FromClient{std::move(message.peer), std::move(envelope).value()});
    } else if (envelope->has_hello()) {
      take_hello(message.peer, std::move(envelope).value());
    } else {
      handle(FromWorker{std::move(message.peer), std::move(envelope).value(), {}});
    }
  }
}

/// The process is opened before the brain believes that it exists.
void EventLoop::take_hello(const std::string& peer, wire::Envelope message) {
  const wire::Hello& hello = message.hello();
  Result<ProcessHandle> process = ProcessHandle::open({static_cast<pid_t>(hello.pid()), hello.start_time()});
  Status identity = process.status();
  if (hello.uid() != ::geteuid()) {
    identity = {StatusCode::kPermission, "worker: runs as uid " + std::to_string(hello.uid())};
  } else if (process.is_ok()) {
    hellos_.emplace(peer, std::move(process).value());
  }
  handle(FromWorker{peer, std::move(message), std::move(identity)});
  hellos_.erase(peer);
}

void EventLoop::take_signals() {
  while (signals_.take()) {
    handle(StopRequested{options_.grace_ms});
  }
}

void EventLoop::take_journal_replies() {
  for (JournalReply& reply : session_.journal().take_replies()) {
    handle(JournalAnswered{std::move(reply)});
  }
}

void EventLoop::take_segments() {
  for (SegmentReady& ready : session_.segments().take_ready()) {
    handle(ready);
  }
}

void EventLoop::worker_ended(Epoch epoch) {
  receive(workers_, true);
  poll_.unwatch(kFirstProcess + epoch);
  handle(WorkerEnded{epoch});
}

void EventLoop::handle(const Event& event) {
  brain_.handle(event, now(), actions_);
  for (;;) {
    Actions actions = std::exchange(actions_, {});
    for (Action& action : actions) {
      execute(action);
    }
    if (session_.journal().fd() < 0) {
      for (JournalReply& reply : session_.journal().take_replies()) {
        backlog_.emplace_back(JournalAnswered{std::move(reply)});
      }
    }
    if (backlog_.empty()) {
      return;
    }
    const Event next = std::move(backlog_.front());
    backlog_.pop_front();
    brain_.handle(next, now(), actions_);
  }
}

void EventLoop::execute(Action& action) {
  std::visit([this](auto& a) { act(a); }, action);
}

bool EventLoop::send(RouterSocket& socket, const std::string& peer, wire::Envelope& message) {
  const Result<std::string> frame = encode(message);
  if (!frame.is_ok()) {
    log_.error(frame.status().to_string());
    return false;
  }
  const Status status = socket.send(peer, *frame);
  if (!status.is_ok()) {
    log_.debug(std::string(name_of(message.body_case())) + " not sent: " + status.to_string());
  }
  return status.is_ok();
}

void EventLoop::act(SendToWorker& action) {
  fault_point(action.message.has_fill()    ? "coordinator.before_fill"
              : action.message.has_prove() ? "coordinator.before_prove"
              : action.message.has_ack()   ? "coordinator.before_ack"
                                           : "coordinator.before_send");
  if (!send(workers_, action.peer, action.message)) {
    backlog_.emplace_back(SendFailed{action.peer, true});
  }
}

void EventLoop::act(SendToClient& action) {
  if (!send(clients_, action.peer, action.message)) {
    backlog_.emplace_back(SendFailed{action.peer, false});
  }
}

void EventLoop::act(const StoreSlot& action) {
  session_.store(action.slot, action.entry);
  fault_point("coordinator.after_ledger");
}

void EventLoop::act(const StoreWorker& action) {
  session_.store(action.index, action.entry);
}

void EventLoop::act(JournalRecord& action) {
  session_.journal().post(std::move(action));
}

void EventLoop::watch(Epoch epoch, ProcessHandle process) {
  const auto [entry, added] = processes_.emplace(epoch, std::move(process));
  if (added) {
    poll_.watch_fd(entry->second.fd(), kFirstProcess + epoch);
  }
}

void EventLoop::act(const WatchWorker& action) {
  const auto found = hellos_.find(action.peer);
  if (found != hellos_.end()) {
    watch(action.epoch, std::move(found->second));
  }
}

void EventLoop::act(const ForgetWorker& action) {
  poll_.unwatch(kFirstProcess + action.epoch);
  processes_.erase(action.epoch);
}

void EventLoop::act(const KillWorker& action) {
  const auto found = processes_.find(action.epoch);
  if (found == processes_.end()) {
    return;
  }
  if (const Status status = found->second.send_signal(SIGKILL); !status.is_ok()) {
    log_.error(status.to_string());
  }
}

void EventLoop::act(const CreateSegment& action) {
  session_.segments().request(action);
}

void EventLoop::act(const DropSegment& action) {
  if (const Status status = session_.segments().drop(action.segment); !status.is_ok()) {
    log_.warn(status.to_string(), {0, action.slot, 0});
  }
}

void EventLoop::act(const WriteLog& action) {
  switch (action.level) {
    case LogLevel::kDebug:
      return log_.debug(action.text, action.fields);
    case LogLevel::kInfo:
      return log_.info(action.text, action.fields);
    case LogLevel::kWarn:
      return log_.warn(action.text, action.fields);
    default:
      return log_.error(action.text, action.fields);
  }
}

void EventLoop::act(const Finish&) {
  finished_ = true;
}

}  // namespace baton
