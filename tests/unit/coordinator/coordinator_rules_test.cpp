#include <gtest/gtest.h>

#include "shared/contract/codec.hpp"
#include "shared/contract/version.hpp"
#include "tests/unit/coordinator/world.hpp"

namespace baton {
namespace {

/// A small service with its circuit ready and one job's slot at the wanted place.
class CoordinatorRules : public testing::Test {
 protected:
  explicit CoordinatorRules(CoordinatorConfig config = test_config()) : world_(std::move(config)) {}
  ~CoordinatorRules() override { EXPECT_TRUE(world_.violations().empty()) << world_.violations().front(); }

  /// Runs everything but the grants of `hold`: synth tasks complete when it is kGpu, and the other way round.
  void run_until_held(FakeWorker& hold) {
    for (int i = 0; i < 100 && hold.tasks.empty(); ++i) {
      world_.deliver_all();
      world_.commit_all();
      world_.segment_ready();
      for (auto& worker : world_.workers()) {
        if (worker.get() != &hold && worker->alive && !worker->tasks.empty()) {
          world_.complete(*worker, worker->tasks.front());
        } else if (worker.get() == &hold && !worker->tasks.empty() &&
                   is_prepare(worker->tasks.front().attempt)) {
          world_.complete(*worker, worker->tasks.front());
        }
      }
    }
    ASSERT_FALSE(hold.tasks.empty());
  }

  wire::JobState state(JobId job) const {
    const auto found = world_.ended().find(job);
    return found == world_.ended().end() ? wire::JOB_UNKNOWN : found->second.state();
  }
  std::uint64_t count(Counter counter) const { return world_.brain().counters().at(counter); }
  SlotState slot_state(SlotId slot = 0) const { return world_.word(slot).state; }

  World world_;
};

TEST_F(CoordinatorRules, AJobIsProvedAndItsSlotIsFreeAgain) {
  world_.start(WorkerRole::kSynth);
  world_.start(WorkerRole::kGpu, 2);
  world_.submit("one", "/a");
  world_.settle();
  EXPECT_EQ(state(1), wire::JOB_DONE);
  EXPECT_EQ(world_.ended().at(1).proof(), "proof of 1");
  EXPECT_EQ(slot_state(), SlotState::kFree);
}

TEST_F(CoordinatorRules, StatusShowsTheKeysThatAGpuWorkerHoldsAsItLastSaid) {
  world_.start(WorkerRole::kSynth);
  FakeWorker& gpu = world_.start(WorkerRole::kGpu);
  world_.submit("one", "/a");
  world_.settle();
  const auto report = [&](std::uint64_t bytes) {
    wire::Envelope message;
    message.mutable_preloaded()->set_circuit(1);
    message.mutable_preloaded()->set_backend("device");
    if (bytes != 0) {
      wire::LoadedKey* key = message.mutable_preloaded()->add_keys();
      key->set_circuit(1);
      key->set_bytes(bytes);
    }
    message.set_session(gpu.session);
    world_.inject(FromWorker{gpu.peer, std::move(message), {}});
    (void)world_.take_replies();
    wire::Envelope request;
    request.mutable_status_request();
    world_.ask(std::move(request));
    const auto replies = world_.take_replies();
    for (const wire::WorkerStatus& worker : replies.at(0).status_reply().workers()) {
      if (worker.role() == wire::ROLE_GPU) {
        return worker;
      }
    }
    return wire::WorkerStatus();
  };
  const wire::WorkerStatus loaded = report(5000);
  EXPECT_EQ(loaded.backend(), "device");
  ASSERT_EQ(loaded.keys_size(), 1);
  EXPECT_EQ(loaded.keys(0).bytes(), 5000U);
  EXPECT_EQ(loaded.keys(0).name().substr(0, 2), "/a");
  EXPECT_EQ(report(0).keys_size(), 0);
}

TEST_F(CoordinatorRules, NothingIsAcceptedBeforeTheJournalHasIt) {
  world_.submit("one", "/a");
  EXPECT_TRUE(world_.take_replies().empty());
  world_.commit_all();
  const auto replies = world_.take_replies();
  ASSERT_EQ(replies.size(), 1u);
  EXPECT_EQ(replies[0].accepted().job(), 1u);
}

TEST_F(CoordinatorRules, AResultIsAcknowledgedOnlyWhenItIsDurable) {
  world_.start(WorkerRole::kSynth);
  FakeWorker& gpu = world_.start(WorkerRole::kGpu);
  world_.submit("one", "/a");
  run_until_held(gpu);
  world_.complete(gpu, gpu.tasks.front());
  world_.resend(gpu, gpu.unacknowledged.front());
  world_.deliver_all();
  EXPECT_EQ(gpu.unacknowledged.size(), 1u);
  world_.commit_all();
  world_.deliver_all();
  EXPECT_TRUE(gpu.unacknowledged.empty());
  EXPECT_EQ(state(1), wire::JOB_DONE);
}

TEST_F(CoordinatorRules, ADeadSynthWorkerCostsOneFillAndOnlyWhenTheKernelHasSaidSo) {
  FakeWorker& synth = world_.start(WorkerRole::kSynth);
  world_.start(WorkerRole::kGpu);
  world_.submit("one", "/a");
  run_until_held(synth);
  world_.kill(synth);
  EXPECT_EQ(slot_state(), SlotState::kFilling);
  world_.report_death(synth);
  EXPECT_EQ(slot_state(), SlotState::kFree);
  world_.start(WorkerRole::kSynth);
  world_.settle();
  EXPECT_EQ(state(1), wire::JOB_DONE);
  EXPECT_EQ(world_.fills(1), 2);
}

TEST_F(CoordinatorRules, ADeadGpuWorkerCostsNoFill) {
  world_.start(WorkerRole::kSynth);
  FakeWorker& gpu = world_.start(WorkerRole::kGpu);
  world_.submit("one", "/a");
  run_until_held(gpu);
  world_.upload(gpu, gpu.tasks.front());
  world_.kill(gpu);
  world_.report_death(gpu);
  EXPECT_EQ(slot_state(), SlotState::kSealed);
  world_.start(WorkerRole::kGpu);
  world_.settle();
  EXPECT_EQ(state(1), wire::JOB_DONE);
  EXPECT_EQ(world_.fills(1), 1);
}

TEST_F(CoordinatorRules, AnUploadedSlotIsGivenAwayAndTheResultStillCounts) {
  FakeWorker& gpu = world_.start(WorkerRole::kGpu, 2);
  FakeWorker& synth = world_.start(WorkerRole::kSynth);
  world_.submit("one", "/a");
  run_until_held(gpu);
  world_.upload(gpu, gpu.tasks.front());
  EXPECT_EQ(slot_state(), SlotState::kUploaded);
  world_.submit("two", "/a");
  world_.commit_all();
  world_.deliver_all();
  ASSERT_EQ(synth.tasks.size(), 1u);
  EXPECT_EQ(synth.tasks.front().granted.slot, 0u);
  EXPECT_EQ(count(Counter::kReclaimedUploads), 1u);
  world_.complete(gpu, gpu.tasks.front());
  EXPECT_EQ(slot_state(), SlotState::kFilling);
  world_.settle();
  EXPECT_EQ(state(1), wire::JOB_DONE);
  EXPECT_EQ(state(2), wire::JOB_DONE);
  EXPECT_EQ(world_.fills(1), 1);
}

TEST_F(CoordinatorRules, OnlyTheJobWhoseSlotWasGivenAwayIsFilledAgain) {
  FakeWorker& gpu = world_.start(WorkerRole::kGpu, 2);
  world_.start(WorkerRole::kSynth);
  world_.submit("one", "/a");
  run_until_held(gpu);
  world_.upload(gpu, gpu.tasks.front());
  world_.submit("two", "/a");
  world_.commit_all();
  world_.kill(gpu);
  world_.report_death(gpu);
  world_.start(WorkerRole::kGpu, 2);
  world_.settle();
  EXPECT_EQ(state(1), wire::JOB_DONE);
  EXPECT_EQ(state(2), wire::JOB_DONE);
  EXPECT_EQ(world_.fills(1), 2);
  EXPECT_EQ(world_.fills(2), 1);
}

TEST_F(CoordinatorRules, AHangIsKilledAndReclaimedOnlyAfterItsDeath) {
  FakeWorker& synth = world_.start(WorkerRole::kSynth);
  world_.submit("one", "/a");
  run_until_held(synth);
  const FakeWorker::Task task = synth.tasks.front();
  world_.advance(test_config().fill_deadline);
  EXPECT_TRUE(world_.killed().contains(synth.pid));
  EXPECT_EQ(slot_state(), SlotState::kDoomedFill);
  world_.complete(synth, task);  // woke up too late
  EXPECT_EQ(slot_state(), SlotState::kDoomedFill);
  world_.kill(synth);
  world_.report_death(synth);
  EXPECT_EQ(slot_state(), SlotState::kFree);
  world_.start(WorkerRole::kSynth);
  world_.start(WorkerRole::kGpu);
  world_.settle();
  EXPECT_EQ(state(1), wire::JOB_DONE);
}

TEST_F(CoordinatorRules, AJobThatAlwaysKillsItsWorkerFailsWithItsStory) {
  world_.start(WorkerRole::kGpu);
  world_.submit("poison", "/a");
  for (std::uint32_t death = 0; death < test_config().max_strikes; ++death) {
    FakeWorker& synth = world_.start(WorkerRole::kSynth);
    for (int i = 0; i < 20 && (synth.tasks.empty() || is_prepare(synth.tasks.front().attempt)); ++i) {
      world_.deliver_all();
      world_.commit_all();
      world_.segment_ready();
      world_.advance(Milliseconds(20));
      if (!synth.tasks.empty() && is_prepare(synth.tasks.front().attempt)) {
        world_.complete(synth, synth.tasks.front());
      }
    }
    ASSERT_FALSE(synth.tasks.empty());
    world_.kill(synth);
    world_.report_death(synth);
  }
  world_.commit_all();
  EXPECT_EQ(state(1), wire::JOB_FAILED);
  EXPECT_NE(world_.ended().at(1).text().find("3 workers ended"), std::string::npos);
  EXPECT_EQ(slot_state(), SlotState::kFree);
}

TEST_F(CoordinatorRules, SuspectsOfASharedDeathRunAloneNext) {
  FakeWorker& gpu = world_.start(WorkerRole::kGpu, 2);
  world_.start(WorkerRole::kSynth);
  world_.submit("one", "/a");
  world_.submit("two", "/a");
  run_until_held(gpu);
  for (int i = 0; i < 20 && gpu.tasks.size() < 2; ++i) {
    world_.deliver_all();
    world_.commit_all();
    world_.segment_ready();
    for (auto& worker : world_.workers()) {
      if (worker->role == WorkerRole::kSynth && !worker->tasks.empty()) {
        world_.complete(*worker, worker->tasks.front());
      }
    }
  }
  ASSERT_EQ(gpu.tasks.size(), 2u);
  world_.kill(gpu);
  world_.report_death(gpu);
  FakeWorker& next = world_.start(WorkerRole::kGpu, 2);
  world_.deliver_all();
  world_.deliver_all();
  EXPECT_EQ(next.tasks.size(), 1u);
  world_.settle();
  EXPECT_EQ(state(1), wire::JOB_DONE);
  EXPECT_EQ(state(2), wire::JOB_DONE);
}

TEST_F(CoordinatorRules, BadInputIsFinalAtOnce) {
  FakeWorker& synth = world_.start(WorkerRole::kSynth);
  world_.submit("one", "/a");
  run_until_held(synth);
  world_.complete(synth, synth.tasks.front(), StatusCode::kUnsatisfied);
  world_.commit_all();
  EXPECT_EQ(state(1), wire::JOB_FAILED);
  EXPECT_EQ(world_.ended().at(1).code(), static_cast<std::uint32_t>(StatusCode::kUnsatisfied));
  EXPECT_EQ(world_.ended().at(1).attempts(), 1u);
  EXPECT_EQ(slot_state(), SlotState::kFree);
}

TEST_F(CoordinatorRules, TransientFailuresAreBounded) {
  FakeWorker& synth = world_.start(WorkerRole::kSynth);
  world_.submit("one", "/a");
  for (std::uint32_t i = 0; i < test_config().max_failures; ++i) {
    world_.advance(Milliseconds(100));
    run_until_held(synth);
    world_.complete(synth, synth.tasks.front(), StatusCode::kInternal);
  }
  world_.commit_all();
  EXPECT_EQ(state(1), wire::JOB_FAILED);
  EXPECT_NE(world_.ended().at(1).text().find("gave up after 6 attempts"), std::string::npos);
}

TEST_F(CoordinatorRules, ACorruptSlotIsQuarantinedUntilEverybodyHasDetached) {
  FakeWorker& synth = world_.start(WorkerRole::kSynth);
  FakeWorker& gpu = world_.start(WorkerRole::kGpu);
  world_.submit("one", "/a");
  run_until_held(gpu);
  world_.complete(gpu, gpu.tasks.front(), StatusCode::kCorrupt, wire::PROVE_FAILURE_CORRUPT);
  EXPECT_EQ(slot_state(), SlotState::kQuarantined);
  world_.deliver(synth);
  while (world_.deliver(synth)) {
  }
  EXPECT_EQ(slot_state(), SlotState::kQuarantined);
  world_.settle();
  EXPECT_EQ(state(1), wire::JOB_DONE);
  EXPECT_EQ(world_.fills(1), 2);
}

TEST_F(CoordinatorRules, CancellingAFillWaitsForTheWriterToStop) {
  FakeWorker& synth = world_.start(WorkerRole::kSynth);
  world_.submit("one", "/a");
  run_until_held(synth);
  world_.cancel(1);
  world_.commit_all();
  EXPECT_EQ(state(1), wire::JOB_CANCELLED);
  EXPECT_EQ(slot_state(), SlotState::kFilling);
  world_.deliver_all();
  ASSERT_TRUE(synth.tasks.front().cancelled);
  world_.complete(synth, synth.tasks.front(), StatusCode::kCancelled);
  EXPECT_EQ(slot_state(), SlotState::kFree);
}

TEST_F(CoordinatorRules, ACancelledFillThatDoesNotStopIsKilledAfterTheGrace) {
  FakeWorker& synth = world_.start(WorkerRole::kSynth);
  world_.submit("one", "/a");
  run_until_held(synth);
  world_.cancel(1);
  world_.advance(test_config().cancel_grace);
  EXPECT_EQ(slot_state(), SlotState::kDoomedFill);
  EXPECT_TRUE(world_.killed().contains(synth.pid));
}

TEST_F(CoordinatorRules, CancellingAProofLeavesTheReaderItsBytes) {
  world_.start(WorkerRole::kSynth);
  FakeWorker& gpu = world_.start(WorkerRole::kGpu);
  world_.submit("one", "/a");
  run_until_held(gpu);
  world_.cancel(1);
  EXPECT_EQ(slot_state(), SlotState::kProving);
  world_.upload(gpu, gpu.tasks.front());
  EXPECT_EQ(slot_state(), SlotState::kFree);
}

TEST_F(CoordinatorRules, AJobPastItsDeadlineFails) {
  world_.submit("one", "/a", wire::PRIORITY_NORMAL, 50);
  world_.commit_all();
  world_.advance(Milliseconds(50));
  world_.commit_all();
  EXPECT_EQ(state(1), wire::JOB_FAILED);
  EXPECT_EQ(world_.ended().at(1).code(), static_cast<std::uint32_t>(StatusCode::kDeadline));
}

TEST_F(CoordinatorRules, TenSubmissionsOfOneKeyAreOneJobAndAnotherPayloadIsRefused) {
  for (int i = 0; i < 10; ++i) {
    world_.submit("same", "/a");
    world_.commit_all();
  }
  world_.submit("same", "/b");
  const auto replies = world_.take_replies();
  ASSERT_EQ(replies.size(), 11u);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(replies[static_cast<std::size_t>(i)].accepted().job(), 1u);
    EXPECT_EQ(replies[static_cast<std::size_t>(i)].accepted().known(), i != 0);
  }
  EXPECT_EQ(replies[10].refused().code(), static_cast<std::uint32_t>(StatusCode::kExists));
}

TEST_F(CoordinatorRules, WorkersOfAnotherBuildAreRejectedBeforeTheySeeAnything) {
  wire::Envelope message;
  message.mutable_hello()->set_role(wire::ROLE_SYNTH);
  message.mutable_hello()->set_layout_version(kLayoutVersion);
  message.mutable_hello()->set_build_fingerprint(kBuildFingerprint + 1);
  world_.inject(FromWorker{"stranger", message, {}});
  EXPECT_TRUE(world_.brain().workers().all().empty());
}

TEST_F(CoordinatorRules, UnknownPeersAndOtherSessionsAreCountedAndChangeNothing) {
  FakeWorker& synth = world_.start(WorkerRole::kSynth);
  wire::Envelope message;
  message.mutable_filled();
  world_.inject(FromWorker{"nobody", message, {}});
  EXPECT_EQ(count(Counter::kUnknownPeers), 1u);
  message.set_session(1);
  world_.inject(FromWorker{synth.peer, message, {}});
  EXPECT_EQ(count(Counter::kStaleMessages), 1u);
}

TEST_F(CoordinatorRules, ANewNonceFromTheSameProcessEndsTheOldLife) {
  FakeWorker& synth = world_.start(WorkerRole::kSynth);
  world_.submit("one", "/a");
  run_until_held(synth);
  const Epoch before = synth.epoch;
  synth.nonce += 1000;
  synth.tasks.clear();
  synth.attached.clear();
  synth.unacknowledged.clear();
  synth.epoch = 0;
  synth.session = 0;
  world_.hello(synth);
  EXPECT_EQ(slot_state(), SlotState::kFree);
  world_.deliver_all();
  EXPECT_NE(synth.epoch, before);
}

TEST_F(CoordinatorRules, AGrantLostWithItsSocketIsGivenAgainWithoutAStrike) {
  FakeWorker& synth = world_.start(WorkerRole::kSynth);
  world_.start(WorkerRole::kGpu);
  world_.submit("one", "/a");
  run_until_held(synth);
  synth.tasks.clear();  // it never read the message
  world_.hello(synth);
  EXPECT_EQ(count(Counter::kLostGrants), 1u);
  world_.settle();
  EXPECT_EQ(state(1), wire::JOB_DONE);
}

TEST_F(CoordinatorRules, FailedCircuitsFailTheirJobsAndAreTriedAgainForTheNext) {
  FakeWorker& synth = world_.start(WorkerRole::kSynth);
  world_.start(WorkerRole::kGpu);
  world_.submit("one", "/a");
  world_.commit_all();
  world_.deliver_all();
  ASSERT_EQ(synth.tasks.size(), 1u);
  world_.complete(synth, synth.tasks.front(), StatusCode::kInvalidInput);
  world_.commit_all();
  EXPECT_EQ(state(1), wire::JOB_FAILED);
  world_.submit("two", "/a");
  world_.settle();
  EXPECT_EQ(state(2), wire::JOB_DONE);
}

TEST_F(CoordinatorRules, AKeyThatChangedUnderUsIsPreparedAgain) {
  FakeWorker& synth = world_.start(WorkerRole::kSynth);
  world_.start(WorkerRole::kGpu);
  world_.submit("one", "/a");
  run_until_held(synth);
  world_.complete(synth, synth.tasks.front(), StatusCode::kVersionMismatch);
  world_.settle();
  EXPECT_EQ(state(1), wire::JOB_DONE);
  EXPECT_EQ(count(Counter::kPreparations), 2u);
}

TEST_F(CoordinatorRules, NoSpaceForASlotFailsTheJobInsteadOfWaiting) {
  FakeWorker& synth = world_.start(WorkerRole::kSynth);
  world_.submit("one", "/a");
  world_.commit_all();
  world_.deliver_all();
  ASSERT_EQ(synth.tasks.size(), 1u);
  world_.complete(synth, synth.tasks.front());
  ASSERT_TRUE(world_.segment_ready({StatusCode::kNoSpace, "no space"}));
  world_.commit_all();
  EXPECT_EQ(state(1), wire::JOB_FAILED);
  EXPECT_EQ(world_.ended().at(1).code(), static_cast<std::uint32_t>(StatusCode::kNoSpace));
}

TEST_F(CoordinatorRules, StoppingFinishesWhatRunsAndKeepsWhatWaits) {
  FakeWorker& synth = world_.start(WorkerRole::kSynth);
  world_.start(WorkerRole::kGpu);
  world_.submit("one", "/a");
  run_until_held(synth);
  world_.submit("two", "/a");
  world_.commit_all();
  world_.stop(1000);
  world_.submit("three", "/a");
  EXPECT_TRUE(world_.take_replies().back().has_busy());
  world_.settle();
  EXPECT_EQ(state(1), wire::JOB_DONE);
  EXPECT_EQ(state(2), wire::JOB_UNKNOWN);
  EXPECT_TRUE(world_.finished());
}

TEST_F(CoordinatorRules, ARestartSynthesisesAndProvesNothingTwice) {
  world_.start(WorkerRole::kSynth);
  FakeWorker& gpu = world_.start(WorkerRole::kGpu, 2);
  world_.submit("one", "/a");
  run_until_held(gpu);
  world_.commit_all();
  const Epoch epoch = gpu.epoch;
  world_.restart();
  EXPECT_EQ(slot_state(), SlotState::kProving);
  world_.hello(gpu);
  world_.deliver_all();
  EXPECT_EQ(gpu.epoch, epoch);
  ASSERT_EQ(gpu.tasks.size(), 1u);
  world_.settle();
  EXPECT_EQ(state(1), wire::JOB_DONE);
  EXPECT_EQ(world_.fills(1), 1);
  EXPECT_EQ(world_.ended().at(1).proof(), "proof of 1");
}

TEST_F(CoordinatorRules, AfterARestartASlotWaitsForItsSilentOwner) {
  FakeWorker& synth = world_.start(WorkerRole::kSynth);
  world_.submit("one", "/a");
  run_until_held(synth);
  world_.commit_all();
  world_.restart();
  FakeWorker& other = world_.start(WorkerRole::kSynth);
  world_.deliver_all();
  EXPECT_TRUE(other.tasks.empty());
  EXPECT_EQ(slot_state(), SlotState::kFilling);
  world_.kill(synth);
  world_.report_death(synth);
  world_.deliver_all();
  EXPECT_EQ(other.tasks.size(), 1u);
}

class SmallQueue : public CoordinatorRules {
 protected:
  SmallQueue() : CoordinatorRules(config()) {}
  static CoordinatorConfig config() {
    CoordinatorConfig config = test_config();
    config.queue_limit = 3;
    config.slots_per_class = 1;
    return config;
  }
};

TEST_F(SmallQueue, OverloadAnswersBusyWithATime) {
  for (int i = 0; i < 5; ++i) {
    world_.submit("job" + std::to_string(i), "/a");
  }
  world_.commit_all();
  int accepted = 0;
  int busy = 0;
  for (const wire::Envelope& reply : world_.take_replies()) {
    accepted += reply.has_accepted() ? 1 : 0;
    busy += reply.has_busy() && reply.busy().retry_after_ms() > 0 ? 1 : 0;
  }
  EXPECT_EQ(accepted, 3);
  EXPECT_EQ(busy, 2);
}

TEST_F(SmallQueue, ACriticalJobTakesTheSealedSlotOfANormalOne) {
  FakeWorker& synth = world_.start(WorkerRole::kSynth);
  world_.submit("normal", "/a");
  run_until_held(synth);
  world_.complete(synth, synth.tasks.front());
  EXPECT_EQ(slot_state(), SlotState::kSealed);
  world_.submit("critical", "/a", wire::PRIORITY_CRITICAL);
  world_.commit_all();
  world_.deliver_all();
  ASSERT_EQ(synth.tasks.size(), 1u);
  EXPECT_EQ(synth.tasks.front().attempt.job, 2u);
  world_.start(WorkerRole::kGpu);
  world_.settle();
  EXPECT_EQ(state(1), wire::JOB_DONE);
  EXPECT_EQ(state(2), wire::JOB_DONE);
  EXPECT_EQ(count(Counter::kPreemptions), 1u);
}

}  // namespace
}  // namespace baton
