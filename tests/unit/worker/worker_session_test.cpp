#include "shared/worker/worker_session.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "shared/contract/names.hpp"
#include "shared/contract/version.hpp"
#include "shared/support/exit_codes.hpp"
#include "shared/worker/worker_messages.hpp"
#include "tests/support/temporary_directory.hpp"

namespace baton {
namespace {

constexpr Milliseconds kWatchdog{30'000};
constexpr SessionId kSession = 77;
constexpr Epoch kEpoch = 5;
constexpr std::uint64_t kSlotBytes = 2 * kPageBytes;
using Kind = wire::Envelope::BodyCase;

/// A process that only exists, to be a coordinator that can die.
class StandIn {
 public:
  StandIn() : pid_(::fork()) {
    if (pid_ == 0) {
      while (true) {
        ::pause();
      }
    }
    start_time_ = process_start_time(pid_).value();
  }
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;
  ~StandIn() { kill(); }
  void kill() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
      pid_ = -1;
    }
  }
  [[nodiscard]] ProcessIdentity identity() const { return {pid_, start_time_}; }

 private:
  pid_t pid_;
  std::uint64_t start_time_ = 0;
};

/// A role that does nothing by itself: the test answers for it.
class SilentRole final : public WorkerRoleHandler {
 public:
  void describe(wire::Hello& hello) override { hello.set_lanes(1); }
  void welcomed(const wire::Welcome& /*welcome*/, const Ledger& /*ledger*/) override {}
  Status attached(const AttachedSlot& /*slot*/) override { return Status::ok(); }
  void detaching(const AttachedSlot& /*slot*/) override { ++detached; }
  void handle(const wire::Envelope& message, const AttachedSlot* slot) override {
    ++handled;
    had_slot = slot != nullptr && message.has_fill();
  }
  void cancel(const Attempt& /*attempt*/) override { ++cancelled; }

  std::atomic<int> handled{0};
  std::atomic<int> detached{0};
  std::atomic<int> cancelled{0};
  std::atomic<bool> had_slot{false};
};

/// The session runs on its own thread; the test plays the coordinator.
class WorkerSessionTest : public ::testing::Test {
 protected:
  WorkerSessionTest() {
    options_.run_dir = run_directory_.path();
    options_.slot_access = MappingAccess::kReadWrite;
  }
  ~WorkerSessionTest() override { join(); }

  void start() {
    session_ =
        WorkerSession::create(options_, SignalFd::create({SIGUSR1}).value(), role_, outbox_, log_).value();
    thread_ = std::thread([this] { exit_code_ = session_->run(); });
  }
  int join() {
    if (thread_.joinable()) {
      thread_.join();
    }
    session_.reset();
    return exit_code_;
  }

  void bind() {
    router_.emplace(RouterSocket::bind(context_, worker_socket_path(options_.run_dir), 0600, {}).value());
  }

  wire::Envelope receive(Kind kind) {
    PollSet poll;
    poll.watch(*router_, 1);
    const Instant end = now() + kWatchdog;
    while (now() < end) {
      if (const auto message = router_->receive().value()) {
        wire::Envelope envelope = decode(std::string_view(message->body)).value();
        peer_ = message->peer;
        if (envelope.body_case() == kind) {
          return envelope;
        }
        continue;
      }
      static_cast<void>(poll.wait(Milliseconds(100)).value());
    }
    ADD_FAILURE() << "nothing came: " << name_of(kind);
    return {};
  }

  void send(wire::Envelope envelope, Incarnation incarnation = 1) {
    envelope.set_session(kSession);
    envelope.set_incarnation(incarnation);
    EXPECT_TRUE(router_->send(peer_, encode(envelope).value()).is_ok());
  }

  void welcome(const StandIn& coordinator, Incarnation incarnation = 1) {
    wire::Envelope envelope;
    wire::Welcome& message = *envelope.mutable_welcome();
    message.set_epoch(kEpoch);
    message.set_coordinator_pid(static_cast<std::uint32_t>(coordinator.identity().pid));
    message.set_coordinator_start_time(coordinator.identity().start_time);
    message.set_shm_directory(shm_.path());
    message.set_ledger_name(ledger_name(kSession));
    message.set_cache_directory(run_directory_.path());
    send(std::move(envelope), incarnation);
  }

  void attach_slot() {
    wire::Envelope envelope;
    wire::Attach& attach = *envelope.mutable_attach();
    attach.set_slot(0);
    attach.set_segment(1);
    attach.set_name(slot_name(kSession, 0, 1));
    attach.set_bytes(kSlotBytes);
    send(std::move(envelope));
    EXPECT_EQ(receive(Kind::kAttached).attached().code(), 0U);
  }

  void grant_in_ledger(Generation generation) {
    store_release(ledger_.writable().slots[0].word, pack({SlotState::kFilling, kEpoch, generation}));
  }

  static wire::Envelope fill(JobId job, Generation generation) {
    wire::Envelope envelope;
    wire::Fill& message = *envelope.mutable_fill();
    to_wire(Lease{0, generation}, message.mutable_lease());
    to_wire(Attempt{job, 1, kEpoch}, message.mutable_attempt());
    message.mutable_circuit()->set_id(1);
    message.mutable_circuit()->mutable_source()->set_key_path("/k");
    message.mutable_circuit()->set_curve(1);
    message.mutable_circuit()->set_n_vars(2);
    message.mutable_circuit()->set_domain_size(2);
    message.mutable_circuit()->set_fingerprint(std::string(16, 'f'));
    message.mutable_circuit()->set_cache_path("/c");
    message.set_witness_path("/w");
    message.set_segment(1);
    return envelope;
  }

  void wait_until(const std::atomic<int>& count, int value) {
    const Instant end = now() + kWatchdog;
    while (count < value && now() < end) {
      std::this_thread::yield();
    }
    EXPECT_EQ(count, value);
  }

  void acknowledge(JobId job, Incarnation incarnation = 1) {
    wire::Envelope envelope;
    to_wire(Attempt{job, 1, kEpoch}, envelope.mutable_ack()->mutable_attempt());
    send(std::move(envelope), incarnation);
  }
  void shut_down(Incarnation incarnation = 1) {
    wire::Envelope envelope;
    envelope.mutable_shutdown()->set_grace_ms(20'000);
    send(std::move(envelope), incarnation);
  }

  test::TemporaryDirectory run_directory_;
  test::TemporaryDirectory shm_{"/dev/shm"};
  LedgerMapping ledger_ = LedgerMapping::create(shm_.path(), kSession, {}).value();
  Segment slot_ = create_slot_segment(shm_.path(), {kSession, 0, 1, kSlotBytes}, 1).value();
  TransportContext context_ = TransportContext::create().value();
  std::optional<RouterSocket> router_;
  std::string peer_;

  WorkerSessionOptions options_;
  SilentRole role_;
  Outbox outbox_{EventFd::create().value()};
  Log log_ = Log::open({"test", LogLevel::kOff, {}}).value();
  std::unique_ptr<WorkerSession> session_;
  std::thread thread_;
  std::atomic<int> exit_code_{-1};
};

TEST_F(WorkerSessionTest, GrantIsHandledOnceAndItsResultRepeatedUntilTheAck) {
  const StandIn coordinator;
  bind();
  start();
  const wire::Envelope hello = receive(Kind::kHello);
  EXPECT_EQ(hello.hello().build_fingerprint(), kBuildFingerprint);
  EXPECT_EQ(hello.hello().epoch(), 0U);
  welcome(coordinator);
  attach_slot();
  grant_in_ledger(9);
  send(fill(1, 9));
  send(fill(1, 9));
  wait_until(role_.handled, 1);
  EXPECT_TRUE(role_.had_slot);
  outbox_.post(fill_failed({0, 9}, {1, 1, kEpoch}, {StatusCode::kInternal, "no"}));
  EXPECT_EQ(receive(Kind::kFillFailed).fill_failed().text(), "no");
  EXPECT_EQ(receive(Kind::kFillFailed).fill_failed().text(), "no");
  acknowledge(1);
  shut_down();
  receive(Kind::kBye);
  EXPECT_EQ(join(), exit_code::kOk);
  EXPECT_EQ(role_.handled, 1);
}

TEST_F(WorkerSessionTest, GrantThatTheLedgerDoesNotKnowIsIgnored) {
  const StandIn coordinator;
  bind();
  start();
  receive(Kind::kHello);
  welcome(coordinator);
  attach_slot();
  grant_in_ledger(10);
  send(fill(1, 9));      // an older generation
  send(fill(2, 10), 2);  // of another incarnation
  wire::Envelope other = fill(3, 10);
  other.mutable_fill()->mutable_attempt()->set_epoch(kEpoch + 1);
  send(std::move(other));  // for another worker
  send(fill(4, 10));
  wait_until(role_.handled, 1);
  outbox_.post(fill_failed({0, 10}, {4, 1, kEpoch}, {StatusCode::kInternal, ""}));
  EXPECT_EQ(receive(Kind::kFillFailed).fill_failed().attempt().job(), 4U);
  acknowledge(4);
  shut_down();
  EXPECT_EQ(join(), exit_code::kOk);
  EXPECT_EQ(role_.handled, 1);
}

TEST_F(WorkerSessionTest, SlotThatIsNotAttachedIsAnsweredWithAFailure) {
  const StandIn coordinator;
  bind();
  start();
  receive(Kind::kHello);
  welcome(coordinator);
  grant_in_ledger(9);
  send(fill(1, 9));
  EXPECT_EQ(receive(Kind::kFillFailed).fill_failed().code(),
            static_cast<std::uint32_t>(StatusCode::kUnavailable));
  acknowledge(1);
  shut_down();
  EXPECT_EQ(join(), exit_code::kOk);
  EXPECT_EQ(role_.handled, 0);
}

TEST_F(WorkerSessionTest, DeadCoordinatorIsFencedOffAndTheNextOneLearnsEverything) {
  StandIn first;
  bind();
  start();
  receive(Kind::kHello);
  welcome(first);
  attach_slot();
  grant_in_ledger(9);
  send(fill(1, 9));
  wait_until(role_.handled, 1);
  const std::string old_peer = peer_;
  first.kill();
  const wire::Envelope hello = receive(Kind::kHello);
  EXPECT_NE(peer_, old_peer);
  EXPECT_EQ(hello.session(), kSession);
  EXPECT_EQ(hello.hello().epoch(), kEpoch);
  EXPECT_EQ(hello.hello().announcement(), 2U);
  ASSERT_EQ(hello.hello().held_size(), 1);
  EXPECT_EQ(hello.hello().held(0).lease().generation(), 9U);
  EXPECT_EQ(hello.hello().attached_size(), 1);
  const StandIn second;
  welcome(second, 2);
  outbox_.post(fill_failed({0, 9}, {1, 1, kEpoch}, {StatusCode::kInternal, "held"}));
  EXPECT_EQ(receive(Kind::kFillFailed).fill_failed().text(), "held");
  acknowledge(1, 2);
  shut_down(2);
  EXPECT_EQ(join(), exit_code::kOk);
}

TEST_F(WorkerSessionTest, PrivateWorkerEndsWithItsCoordinator) {
  options_.end_with_parent = true;
  StandIn coordinator;
  bind();
  start();
  receive(Kind::kHello);
  welcome(coordinator);
  attach_slot();
  coordinator.kill();
  EXPECT_EQ(join(), exit_code::kUnavailable);
}

TEST_F(WorkerSessionTest, RejectionByVersionEndsWithItsExitCode) {
  bind();
  start();
  receive(Kind::kHello);
  wire::Envelope envelope;
  envelope.mutable_reject()->set_code(static_cast<std::uint32_t>(StatusCode::kVersionMismatch));
  envelope.mutable_reject()->set_text("another build");
  send(std::move(envelope));
  EXPECT_EQ(join(), exit_code::kRejected);
}

TEST_F(WorkerSessionTest, DetachingWaitsForTheAttemptThatUsesTheSlot) {
  const StandIn coordinator;
  bind();
  start();
  receive(Kind::kHello);
  welcome(coordinator);
  attach_slot();
  grant_in_ledger(9);
  send(fill(1, 9));
  wait_until(role_.handled, 1);
  wire::Envelope envelope;
  envelope.mutable_detach()->set_slot(0);
  envelope.mutable_detach()->set_segment(1);
  send(std::move(envelope));
  wire::Envelope cancel;
  to_wire(Attempt{1, 1, kEpoch}, cancel.mutable_cancel_attempt()->mutable_attempt());
  send(std::move(cancel));
  wait_until(role_.cancelled, 1);
  EXPECT_EQ(role_.detached, 0);
  outbox_.post(fill_failed({0, 9}, {1, 1, kEpoch}, {StatusCode::kCancelled, ""}));
  EXPECT_EQ(receive(Kind::kDetached).detached().segment(), 1U);
  EXPECT_EQ(role_.detached, 1);
  acknowledge(1);
  shut_down();
  EXPECT_EQ(join(), exit_code::kOk);
}

}  // namespace
}  // namespace baton
