#include "shared/worker/worker_session.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "shared/contract/names.hpp"
#include "shared/contract/version.hpp"
#include "shared/support/exit_codes.hpp"
#include "shared/support/fault_point.hpp"
#include "shared/support/secure_random.hpp"
#include "shared/worker/worker_messages.hpp"

namespace baton {

namespace {

using Kind = wire::Envelope::BodyCase;

constexpr std::uint64_t kSocketToken = 1;
constexpr std::uint64_t kOutboxToken = 2;
constexpr std::uint64_t kSignalToken = 3;
constexpr std::uint64_t kParentToken = 4;
constexpr std::uint64_t kCoordinatorToken = 5;

constexpr Milliseconds kHelloAgain{1000};
constexpr Milliseconds kSignalGrace{10'000};

std::uint64_t pid_namespace() {
  struct stat info {};
  return ::stat("/proc/self/ns/pid", &info) == 0 ? info.st_ino : 0;
}

SocketOptions socket_options() {
  SocketOptions options;
  options.max_message_bytes = kMaxFrameBytes;
  return options;
}

}  // namespace

Result<std::unique_ptr<WorkerSession>> WorkerSession::create(const WorkerSessionOptions& options,
                                                             SignalFd signals, WorkerRoleHandler& handler,
                                                             Outbox& outbox, Log& log) {
  BATON_ASSIGN_OR_RETURN(const ProcessIdentity self, this_process());
  BATON_ASSIGN_OR_RETURN(const std::uint64_t nonce, random_u64());
  BATON_ASSIGN_OR_RETURN(TransportContext context, TransportContext::create());
  std::unique_ptr<WorkerSession> session(new WorkerSession(  // NOLINT: the constructor is private
      options, handler, outbox, log, std::move(context), std::move(signals), self, nonce));
  if (options.end_with_parent) {
    BATON_RETURN_IF_ERROR(session->watch_parent());
  }
  BATON_RETURN_IF_ERROR(session->connect());
  return session;
}

WorkerSession::WorkerSession(const WorkerSessionOptions& options, WorkerRoleHandler& handler, Outbox& outbox,
                             Log& log, TransportContext context, SignalFd signals, ProcessIdentity self,
                             std::uint64_t nonce)
    : options_(options),
      handler_(handler),
      outbox_(outbox),
      log_(log),
      context_(std::move(context)),
      signals_(std::move(signals)),
      self_(self),
      nonce_(nonce) {
  poll_.watch_fd(outbox_.fd(), kOutboxToken);
  poll_.watch_fd(signals_.fd(), kSignalToken);
}

WorkerSession::~WorkerSession() {
  for (const auto& [slot, attached] : slots_) {
    handler_.detaching(attached);
  }
}

Status WorkerSession::watch_parent() {
  const pid_t parent = ::getppid();
  BATON_ASSIGN_OR_RETURN(const std::uint64_t start_time, process_start_time(parent));
  BATON_ASSIGN_OR_RETURN(parent_, ProcessHandle::open({parent, start_time}));
  poll_.watch_fd(parent_->fd(), kParentToken);
  if (::getppid() != parent) {
    return {StatusCode::kPeerGone, "the parent process has ended"};
  }
  return Status::ok();
}

Status WorkerSession::connect() {
  poll_.unwatch(kSocketToken);
  unsent_.clear();
  if (socket_) {
    socket_->drop_on_close();
    socket_.reset();
  }
  ++announcements_;
  const std::string id = worker_routing_id(options_.role, static_cast<std::uint32_t>(self_.pid),
                                           self_.start_time, nonce_, announcements_);
  BATON_ASSIGN_OR_RETURN(
      socket_, DealerSocket::connect(context_, worker_socket_path(options_.run_dir), id, socket_options()));
  poll_.watch(*socket_, kSocketToken);
  hello_again_.reset();
  incarnation_ = 0;
  send(make_hello());
  return Status::ok();
}

wire::Envelope WorkerSession::make_hello() {
  wire::Envelope envelope;
  wire::Hello& hello = *envelope.mutable_hello();
  hello.set_role(options_.role == WorkerRole::kSynth ? wire::ROLE_SYNTH : wire::ROLE_GPU);
  hello.set_layout_version(kLayoutVersion);
  hello.set_build_fingerprint(kBuildFingerprint);
  hello.set_pid(static_cast<std::uint32_t>(self_.pid));
  hello.set_start_time(self_.start_time);
  hello.set_uid(::geteuid());
  hello.set_pid_namespace(pid_namespace());
  hello.set_nonce(nonce_);
  hello.set_epoch(epoch_);
  hello.set_announcement(announcements_);
  handler_.describe(hello);
  grants_.announce(hello);
  for (const auto& [slot, attached] : slots_) {
    wire::AttachedSegment* segment = hello.add_attached();
    segment->set_slot(slot);
    segment->set_segment(attached.identity.segment);
  }
  return envelope;
}

int WorkerSession::run() {
  while (!exit_code_) {
    const auto events = poll_.wait(timeout(now()));
    if (!events.is_ok()) {
      log_.error(events.status().to_string());
      finish(exit_code::kFailed);
      break;
    }
    handle_events(*events);
    on_timers(now());
    flush();
  }
  close();
  return *exit_code_;
}

void WorkerSession::close() noexcept {
  poll_.unwatch(kSocketToken);
  socket_.reset();
  const TransportContext ended = std::move(context_);  // its end waits until the socket has sent all it can
}

void WorkerSession::handle_events(const std::vector<PollEvent>& events) {
  for (const PollEvent& event : events) {
    switch (event.token) {
      case kSocketToken:
        if (event.readable) {
          receive_all();
        }
        break;
      case kOutboxToken:
        drain_outbox();
        break;
      case kSignalToken:
        on_signal();
        break;
      case kParentToken:
        finish(exit_code::kUnavailable);
        break;
      case kCoordinatorToken:
        on_coordinator_death();
        break;
      default:
        break;
    }
  }
}

void WorkerSession::receive_all() {
  while (socket_ && !exit_code_) {
    const auto frame = socket_->receive();
    if (!frame.is_ok()) {
      log_.error(frame.status().to_string());
      return;
    }
    if (!frame->has_value()) {
      return;
    }
    const auto envelope = decode(std::string_view(**frame));
    if (envelope.is_ok()) {
      receive(*envelope);
    } else {
      log_.warn("message dropped: " + envelope.status().to_string());
    }
  }
}

void WorkerSession::receive(const wire::Envelope& envelope) {
  const Kind kind = envelope.body_case();
  if (kind == Kind::kWelcome) {
    return on_welcome(envelope);
  }
  if (kind == Kind::kReject) {
    return on_reject(envelope.reject());
  }
  if (incarnation_ == 0 || envelope.session() != session_ || envelope.incarnation() != incarnation_) {
    return log_.warn("message of another coordinator ignored: " + std::string(name_of(kind)));
  }
  switch (kind) {
    case Kind::kAttach:
      return on_attach(envelope.attach());
    case Kind::kDetach:
      return on_detach(envelope.detach());
    case Kind::kFill:
      return on_fill(envelope);
    case Kind::kProve:
      return on_prove(envelope);
    case Kind::kPrepare:
      return on_prepare(envelope);
    case Kind::kPreload:
    case Kind::kUnload:
      return handler_.handle(envelope, nullptr);
    case Kind::kCancelAttempt:
      return on_cancel(envelope.cancel_attempt());
    case Kind::kAck:
      return grants_.acknowledge(from_wire(envelope.ack().attempt()));
    case Kind::kShutdown:
      return on_shutdown(envelope.shutdown());
    default:
      return log_.warn("message ignored: " + std::string(name_of(kind)));
  }
}

void WorkerSession::on_welcome(const wire::Envelope& envelope) {
  const wire::Welcome& welcome = envelope.welcome();
  if (session_ != 0 && (envelope.session() != session_ || welcome.epoch() != epoch_)) {
    log_.warn("the new coordinator does not know this worker; starting over");
    return finish(exit_code::kTemporary);
  }
  auto handle =
      ProcessHandle::open({static_cast<pid_t>(welcome.coordinator_pid()), welcome.coordinator_start_time()});
  if (!handle.is_ok()) {
    return log_.warn("welcome of a coordinator that is gone: " + handle.status().message());
  }
  if (!ledger_) {
    auto ledger = LedgerMapping::open(welcome.shm_directory(), envelope.session(), MappingAccess::kReadOnly);
    if (!ledger.is_ok()) {
      log_.error(ledger.status().to_string());
      return finish(ledger.status().code() == StatusCode::kVersionMismatch ? exit_code::kRejected
                                                                           : exit_code::kTemporary);
    }
    ledger_.emplace(std::move(*ledger));
  }
  poll_.unwatch(kCoordinatorToken);
  coordinator_.emplace(std::move(*handle));
  poll_.watch_fd(coordinator_->fd(), kCoordinatorToken);
  hello_again_.reset();
  session_ = envelope.session();
  incarnation_ = envelope.incarnation();
  epoch_ = static_cast<Epoch>(welcome.epoch());
  shm_directory_ = welcome.shm_directory();
  log_.set_worker("w" + std::to_string(epoch_));
  log_.info("welcome of coordinator " + std::to_string(welcome.coordinator_pid()) + ", incarnation " +
            std::to_string(incarnation_));
  handler_.welcomed(welcome, ledger_->view());
  for (wire::Envelope& result : grants_.take_all(now())) {
    send(std::move(result));
  }
}

void WorkerSession::on_reject(const wire::Reject& reject) {
  const auto code = static_cast<StatusCode>(reject.code());
  log_.error("rejected: " + reject.text());
  finish(code == StatusCode::kVersionMismatch || code == StatusCode::kPermission ? exit_code::kRejected
                                                                                 : exit_code::kTemporary);
}

void WorkerSession::on_attach(const wire::Attach& request) {
  const Status status = attach(request);
  if (!status.is_ok()) {
    log_.error("segment " + request.name() + ": " + status.to_string());
  }
  wire::Envelope envelope;
  wire::Attached& reply = *envelope.mutable_attached();
  reply.set_slot(request.slot());
  reply.set_segment(request.segment());
  reply.set_code(static_cast<std::uint32_t>(status.code()));
  reply.set_text(bounded_text(status.message()));
  send(std::move(envelope));
}

Status WorkerSession::attach(const wire::Attach& request) {
  const SlotIdentity identity{session_, request.slot(), request.segment(), request.bytes()};
  if (const auto known = slots_.find(request.slot()); known != slots_.end()) {
    if (known->second.identity == identity) {
      return Status::ok();
    }
    return {StatusCode::kBusy,
            "segment " + std::to_string(known->second.identity.segment) + " is still attached"};
  }
  BATON_ASSIGN_OR_RETURN(Segment segment, open_slot_segment(shm_directory_, identity, options_.slot_access));
  BATON_RETURN_IF_ERROR(segment.populate(options_.populate_threads));
  const auto added = slots_.emplace(request.slot(), AttachedSlot{identity, std::move(segment)}).first;
  const Status status = handler_.attached(added->second);
  if (!status.is_ok()) {
    slots_.erase(added);
  }
  return status;
}

void WorkerSession::on_detach(const wire::Detach& detach) {
  detaching_.push_back(detach);
  detach_unused();
}

void WorkerSession::detach_unused() {
  const auto in_use = [this](const wire::Detach& detach) { return grants_.uses_slot(detach.slot()); };
  const auto first = std::stable_partition(detaching_.begin(), detaching_.end(), in_use);
  for (auto entry = first; entry != detaching_.end(); ++entry) {
    const auto found = slots_.find(entry->slot());
    if (found != slots_.end() && found->second.identity.segment == entry->segment()) {
      handler_.detaching(found->second);
      slots_.erase(found);
    }
    wire::Envelope envelope;
    envelope.mutable_detached()->set_slot(entry->slot());
    envelope.mutable_detached()->set_segment(entry->segment());
    send(std::move(envelope));
  }
  detaching_.erase(first, detaching_.end());
}

bool WorkerSession::admit(const Attempt& attempt, const std::optional<Lease>& lease) {
  if (attempt.epoch != epoch_) {
    log_.warn("grant for another worker ignored: " + to_string(attempt));
    return false;
  }
  // What is known is running, or its result is sent again until it is acknowledged.
  return grants_.add(attempt, lease) == GrantTable::Add::kNew;
}

const AttachedSlot* WorkerSession::admit(const wire::Lease& wire_lease, const wire::Attempt& wire_attempt,
                                         std::uint32_t segment, SlotState state) {
  const Lease lease = from_wire(wire_lease);
  const Attempt attempt = from_wire(wire_attempt);
  const LedgerWord word = unpack(load_acquire(ledger_->view().slots[lease.slot].word));
  if (word.state != state || word.owner != epoch_ || word.generation != lease.generation) {
    log_.warn("grant that the ledger does not know ignored: " + to_string(attempt),
              {attempt.job, lease.slot, lease.generation});
    return nullptr;
  }
  if (!admit(attempt, lease)) {
    return nullptr;
  }
  const auto found = slots_.find(lease.slot);
  if (found == slots_.end() || found->second.identity.segment != segment) {
    post_result(slot_not_attached(lease, attempt, options_.role));
    return nullptr;
  }
  return &found->second;
}

void WorkerSession::on_fill(const wire::Envelope& envelope) {
  const wire::Fill& fill = envelope.fill();
  const AttachedSlot* slot = admit(fill.lease(), fill.attempt(), fill.segment(), SlotState::kFilling);
  if (slot != nullptr) {
    handler_.handle(envelope, slot);
  }
}

void WorkerSession::on_prove(const wire::Envelope& envelope) {
  const wire::Prove& prove = envelope.prove();
  const AttachedSlot* slot = admit(prove.lease(), prove.attempt(), prove.segment(), SlotState::kProving);
  if (slot != nullptr) {
    handler_.handle(envelope, slot);
  }
}

void WorkerSession::on_prepare(const wire::Envelope& envelope) {
  if (admit(from_wire(envelope.prepare().attempt()), std::nullopt)) {
    handler_.handle(envelope, nullptr);
  }
}

void WorkerSession::on_cancel(const wire::CancelAttempt& cancel) {
  const Attempt attempt = from_wire(cancel.attempt());
  if (grants_.is_running(attempt)) {
    handler_.cancel(attempt);
  }
}

void WorkerSession::on_shutdown(const wire::Shutdown& shutdown) {
  begin_drain(Milliseconds(std::min<std::uint64_t>(shutdown.grace_ms(), 3'600'000)));
}

void WorkerSession::on_signal() {
  while (signals_.take()) {
    if (drain_until_) {
      return finish(exit_code::kOk);
    }
    begin_drain(kSignalGrace);
  }
}

void WorkerSession::begin_drain(Milliseconds grace) {
  const Instant end = now() + grace;
  if (!drain_until_) {
    wire::Envelope envelope;
    envelope.mutable_bye();
    send(std::move(envelope));
  }
  drain_until_ = drain_until_ ? std::min(*drain_until_, end) : end;
}

void WorkerSession::on_coordinator_death() {
  log_.warn("the coordinator has ended");
  poll_.unwatch(kCoordinatorToken);
  coordinator_.reset();
  if (options_.end_with_parent) {
    return finish(exit_code::kUnavailable);
  }
  const Status status = connect();
  if (!status.is_ok()) {
    log_.error(status.to_string());
    finish(exit_code::kUnavailable);
  }
}

void WorkerSession::on_timers(Instant now) {
  for (wire::Envelope& result : grants_.take_due(now)) {
    if (incarnation_ != 0) {
      send(std::move(result));
    }
  }
  if (hello_again_ && *hello_again_ <= now) {
    const Status status = connect();
    if (!status.is_ok()) {
      log_.error(status.to_string());
    }
  }
  if (!drain_until_) {
    return;
  }
  if (grants_.empty()) {
    finish(exit_code::kOk);
  } else if (*drain_until_ <= now) {
    log_.warn("stopped with " + std::to_string(grants_.running()) + " jobs under way");
    finish(exit_code::kOk);
  }
}

void WorkerSession::drain_outbox() {
  for (wire::Envelope& envelope : outbox_.take()) {
    if (envelope.body_case() == Kind::kUploaded) {
      grants_.release_lease(from_wire(envelope.uploaded().attempt()));
      send(std::move(envelope));
    } else if (result_attempt(envelope)) {
      post_result(envelope);
    } else {
      send(std::move(envelope));
    }
  }
  detach_unused();
  if (const auto code = outbox_.exit_code()) {
    flush();
    finish(*code);
  }
}

void WorkerSession::post_result(const wire::Envelope& envelope) {
  grants_.complete(*result_attempt(envelope), envelope, now());
  if (incarnation_ != 0) {
    send(envelope);
  }
}

void WorkerSession::send(wire::Envelope envelope) {
  envelope.set_session(session_);
  const std::string name(name_of(envelope.body_case()));
  auto frame = encode(envelope);
  if (!frame.is_ok()) {
    return log_.error("cannot send " + name + ": " + frame.status().message());
  }
  unsent_.push_back(std::move(*frame));
  flush();
}

void WorkerSession::flush() {
  while (socket_ && !unsent_.empty()) {
    const Status status = socket_->send(unsent_.front());
    if (!status.is_ok()) {
      break;
    }
    unsent_.pop_front();
    if (incarnation_ == 0 && !hello_again_) {
      hello_again_ = now() + kHelloAgain;
    }
  }
  poll_.want_writable(kSocketToken, !unsent_.empty());
}

void WorkerSession::finish(int code) noexcept {
  if (!exit_code_) {
    exit_code_ = code;
  }
}

std::optional<Milliseconds> WorkerSession::timeout(Instant now) const {
  std::optional<Instant> next = grants_.next_due();
  const auto consider = [&next](const std::optional<Instant>& candidate) {
    if (candidate && (!next || *candidate < *next)) {
      next = candidate;
    }
  };
  consider(hello_again_);
  consider(drain_until_);
  if (!next) {
    return std::nullopt;
  }
  return std::max(Milliseconds(0), std::chrono::ceil<Milliseconds>(*next - now));
}

}  // namespace baton
