#include <gtest/gtest.h>

#include "coordinator/lease_table.hpp"
#include "coordinator/preflight.hpp"
#include "coordinator/scheduler.hpp"

namespace baton {
namespace {

TEST(LeaseTable, CountsGenerationsAndForgetsBytesWithTheirRight) {
  LeaseTable slots;
  const SlotId id = slots.take_absent();
  ASSERT_TRUE(slots.apply(id, SlotEvent::kPublished));
  EXPECT_FALSE(slots.apply(id, SlotEvent::kFilled));
  slots.at(id).job = 5;
  ASSERT_TRUE(slots.apply(id, SlotEvent::kGrantFill, 3));
  EXPECT_EQ(slots.at(id).word, (LedgerWord{SlotState::kFilling, 3, 2}));
  EXPECT_TRUE(slots.is_current({id, 2}));
  ASSERT_TRUE(slots.apply(id, SlotEvent::kOwnerDead));
  EXPECT_EQ(slots.at(id).job, 0u);
  EXPECT_FALSE(slots.is_current({id, 2}));
  EXPECT_FALSE(slots.is_current({id + 1, 2}));
}

TEST(LeaseTable, AnEntryRestoresTheSlot) {
  LeaseTable slots;
  const SlotId id = slots.take_absent();
  slots.at(id).capacity = 4096;
  slots.at(id).segment = 9;
  slots.apply(id, SlotEvent::kPublished);
  slots.at(id).job = 5;
  slots.at(id).attempt = {5, 2, 7};
  slots.apply(id, SlotEvent::kGrantFill, 7);
  LeaseTable other;
  other.adopt(id, slots.entry(id));
  EXPECT_EQ(other.at(id).word, slots.at(id).word);
  EXPECT_EQ(other.at(id).attempt, slots.at(id).attempt);
  EXPECT_EQ(other.at(id).segment, 9u);
  EXPECT_EQ(other.memory_used(), 4096u);
}

TEST(WorkerRegistry, EpochsInUseAreNotGivenAgain) {
  WorkerRegistry workers;
  const Epoch first = workers.add(WorkerRole::kSynth)->epoch;
  for (int i = 0; i < 0x10000; ++i) {
    const Worker* worker = workers.add(WorkerRole::kGpu);
    ASSERT_NE(worker, nullptr);
    ASSERT_NE(worker->epoch, first);
    ASSERT_NE(worker->epoch, 0u);
    workers.remove(worker->epoch);
  }
}

TEST(WorkerRegistry, AFullTableTakesNobody) {
  WorkerRegistry workers;
  for (std::uint32_t i = 0; i < kMaxWorkers; ++i) {
    ASSERT_NE(workers.add(WorkerRole::kSynth), nullptr);
  }
  EXPECT_EQ(workers.add(WorkerRole::kSynth), nullptr);
}

class SchedulerTest : public testing::Test {
 protected:
  SlotId free_slot(std::uint64_t capacity) {
    const SlotId id = slots_.take_absent();
    slots_.at(id).capacity = capacity;
    slots_.apply(id, SlotEvent::kPublished);
    return id;
  }
  Worker& worker(WorkerRole role, std::uint32_t lanes = 1) {
    Worker& added = *workers_.add(role);
    added.lanes = lanes;
    for (SlotId id = 0; id < slots_.size(); ++id) {
      slots_.at(id).attached.set(added.index);
    }
    return added;
  }
  LeaseTable slots_;
  WorkerRegistry workers_;
};

TEST_F(SchedulerTest, TheSmallestSlotThatHoldsTheJobIsTaken) {
  free_slot(100);
  const SlotId fitting = free_slot(300);
  free_slot(900);
  worker(WorkerRole::kSynth);
  EXPECT_EQ(scheduler::pick_slot(slots_, workers_, {200, 1, false, false, 0}, false), fitting);
}

TEST_F(SchedulerTest, TheLastSlotIsKeptForCriticalJobs) {
  const SlotId only = free_slot(100);
  worker(WorkerRole::kSynth);
  EXPECT_EQ(scheduler::pick_slot(slots_, workers_, {100, 1, false, false, 0}, true), kMaxSlots);
  EXPECT_EQ(scheduler::pick_slot(slots_, workers_, {100, 1, true, false, 0}, true), only);
}

TEST_F(SchedulerTest, ASlotThatNoIdleWorkerHasAttachedIsNotGiven) {
  worker(WorkerRole::kSynth);
  free_slot(100);
  EXPECT_EQ(scheduler::pick_slot(slots_, workers_, {100, 1, false, false, 0}, false), kMaxSlots);
  EXPECT_TRUE(scheduler::has_usable_slot(slots_, {100, 1, false, false, 0}));
}

TEST_F(SchedulerTest, TheWorkerWithTheKeyIsPreferredAndThenTheLeastLoaded) {
  const SlotId slot = free_slot(100);
  Worker& cold = worker(WorkerRole::kGpu, 2);
  Worker& warm = worker(WorkerRole::kGpu, 2);
  warm.keys.insert(1);
  warm.tasks.emplace_back();
  EXPECT_EQ(scheduler::pick_gpu(workers_, {100, 1, false, false, 0}, slots_.at(slot), false), &warm);
  EXPECT_EQ(scheduler::pick_gpu(workers_, {100, 2, false, false, 0}, slots_.at(slot), false), &cold);
  EXPECT_EQ(scheduler::pick_gpu(workers_, {100, 1, false, true, 0}, slots_.at(slot), false), &cold);
  EXPECT_EQ(scheduler::pick_gpu(workers_, {100, 1, false, false, warm.epoch}, slots_.at(slot), false), &cold);
}

TEST_F(SchedulerTest, TheLastLaneIsKeptForCriticalJobs) {
  const SlotId slot = free_slot(100);
  Worker& gpu = worker(WorkerRole::kGpu, 1);
  EXPECT_EQ(scheduler::pick_gpu(workers_, {100, 1, false, false, 0}, slots_.at(slot), true), nullptr);
  EXPECT_EQ(scheduler::pick_gpu(workers_, {100, 1, true, false, 0}, slots_.at(slot), true), &gpu);
}

TEST(Preflight, TooLittleSharedMemoryNamesNeedHaveAndCure) {
  const PreflightReport report = check_limits({1u << 20, 1u << 20, 8u << 20, 1024}, 4u << 20);
  const Status verdict = report.verdict();
  EXPECT_EQ(verdict.code(), StatusCode::kNoSpace);
  EXPECT_NE(verdict.message().find("1048576"), std::string::npos);
  EXPECT_NE(verdict.message().find("4280320"), std::string::npos);
  EXPECT_NE(verdict.message().find("--shm-size"), std::string::npos);
}

TEST(Preflight, TheBudgetIsHalfOfWhatIsFree) {
  const PreflightReport report = check_limits({8u << 20, 8u << 20, 6u << 20, 1024}, 0);
  EXPECT_TRUE(report.verdict().is_ok());
  EXPECT_EQ(report.memory_budget, 3u << 20);
}

TEST(Preflight, ThisMachineIsReadable) {
  const Result<SystemLimits> system = read_system();
  ASSERT_TRUE(system.is_ok());
  EXPECT_GT(system->memory_available, 0u);
  EXPECT_GE(system->shm_size, system->shm_free);
}

}  // namespace
}  // namespace baton
