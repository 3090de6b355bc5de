#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/unit/coordinator/world.hpp"

namespace baton {
namespace {

/// Everything that can happen, in any order.
class Chaos {
 public:
  Chaos(std::uint64_t seed, bool restarts) : random_(seed), restarts_(restarts), world_(config()) {
    for (int i = 0; i < 2; ++i) {
      world_.start(WorkerRole::kSynth);
      world_.start(WorkerRole::kGpu, 2);
    }
  }

  static CoordinatorConfig config() {
    CoordinatorConfig config = test_config();
    config.memory_budget = 1u << 20;  // a few slots, and fights for them
    config.max_failures = 1000;       // jobs end for their own reasons
    config.max_strikes = 1000;
    config.queue_limit = 40;
    config.retained_jobs = 16;
    return config;
  }

  World& world() { return world_; }

  void step() {
    if (world_.has_crashed()) {
      world_.restart();
    }
    const std::uint64_t dice = random_() % 1000;
    if (dice < 300) {
      deliver();
    } else if (dice < 550) {
      finish_task();
    } else if (dice < 650) {
      upload();
    } else if (dice < 750) {
      submit();
    } else if (dice < 850) {
      world_.commit_one();
    } else if (dice < 880) {
      world_.segment_ready();
    } else if (dice < 900) {
      resend();
    } else if (dice < 910) {
      cancel();
    } else if (dice < 950) {
      world_.advance(Milliseconds(random_() % 20));
    } else if (dice < 960) {
      announce();
    } else if (dice < 990) {
      deaths();
    } else if (dice < 995) {
      kill_one();
    } else if (restarts_) {
      if (dice < 997) {
        world_.crash_in_next_event(random_() % 4);
      } else {
        world_.restart();
      }
    }
  }

 private:
  FakeWorker& any() { return *world_.workers()[random_() % world_.workers().size()]; }

  void deliver() { world_.deliver(any()); }

  void finish_task() {
    FakeWorker& worker = any();
    if (worker.tasks.empty() || !worker.connected || worker.incarnation == 0) {
      return;
    }
    const FakeWorker::Task task = worker.tasks[random_() % worker.tasks.size()];
    const std::uint64_t dice = random_() % 20;
    if (task.cancelled && dice < 10) {
      world_.complete(worker, task, StatusCode::kCancelled, wire::PROVE_FAILURE_CANCELLED);
    } else if (dice == 0) {
      world_.complete(worker, task, StatusCode::kInternal, wire::PROVE_FAILURE_TRANSIENT);
    } else if (dice == 1 && random_() % 4 == 0) {
      world_.complete(worker, task, StatusCode::kUnsatisfied, wire::PROVE_FAILURE_INPUT);
    } else if (dice == 2 && random_() % 4 == 0) {
      world_.complete(worker, task, StatusCode::kCorrupt, wire::PROVE_FAILURE_CORRUPT);
    } else if (dice == 3 && random_() % 8 == 0 && worker.role == WorkerRole::kSynth &&
               !is_prepare(task.attempt)) {
      world_.complete(worker, task, StatusCode::kVersionMismatch);
    } else {
      world_.complete(worker, task);
    }
  }

  void upload() {
    FakeWorker& worker = any();
    for (FakeWorker::Task& task : worker.tasks) {
      if (worker.role == WorkerRole::kGpu && task.lease && worker.connected && worker.incarnation != 0) {
        world_.upload(worker, task);
        return;
      }
    }
  }

  void submit() {
    static constexpr const char* kCircuits[] = {"/a", "/b", "/c", "/d"};
    const std::uint64_t deadline = random_() % 50 == 0 ? 1 + random_() % 100 : 0;
    // Sometimes a key that was used before.
    const std::uint64_t number = random_() % 10 == 0 ? random_() % (submitted_ + 1) : ++submitted_;
    world_.submit("job" + std::to_string(number), kCircuits[number % 4],
                  static_cast<wire::Priority>(number % 3), deadline);
    static_cast<void>(world_.take_replies());
  }

  void resend() {
    FakeWorker& worker = any();
    if (!worker.unacknowledged.empty() && worker.connected) {
      world_.resend(worker, worker.unacknowledged[random_() % worker.unacknowledged.size()]);
    }
  }

  void cancel() {
    if (!world_.accepted().empty()) {
      const JobId last = world_.accepted().rbegin()->first;
      world_.cancel(last - random_() % std::min<JobId>(last, 30));
    }
  }

  void announce() {
    FakeWorker& worker = any();
    if (worker.alive && (!worker.connected || random_() % 4 == 0)) {
      world_.hello(worker);
    }
  }

  void kill_one() {
    FakeWorker& worker = any();
    if (worker.alive) {
      world_.kill(worker);
    }
  }

  void deaths() {
    for (std::size_t i = 0; i < world_.workers().size(); ++i) {
      FakeWorker& worker = *world_.workers()[i];
      if (worker.alive && world_.killed().contains(worker.pid)) {
        world_.kill(worker);
      }
      if (worker.alive && !worker.connected && random_() % 2 == 0) {
        world_.hello(worker);
      }
      if (!worker.alive && random_() % 2 == 0) {
        const WorkerRole role = worker.role;
        const std::uint32_t lanes = worker.lanes;
        world_.report_death(worker);
        world_.workers().erase(world_.workers().begin() + static_cast<std::ptrdiff_t>(i));
        if (world_.has_crashed()) {
          world_.restart();
        }
        world_.start(role, lanes);
        return;
      }
    }
  }

  std::mt19937_64 random_;
  bool restarts_;
  World world_;
  std::uint64_t submitted_ = 0;
};

void expect_everything_ended(World& world) {
  for (const auto& [id, row] : world.accepted()) {
    EXPECT_TRUE(world.ended().contains(id)) << "job " << id << " never ended";
  }
  EXPECT_EQ(world.brain().jobs().open(), 0u);
  for (SlotId id = 0; id < world.brain().slots().size(); ++id) {
    const SlotState state = world.word(id).state;
    EXPECT_TRUE(state == SlotState::kFree || state == SlotState::kAbsent) << id << " " << to_string(state);
  }
}

void run_chaos(std::uint64_t seed, bool restarts, int events) {
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Chaos chaos(seed, restarts);
  for (int i = 0; i < events; ++i) {
    chaos.step();
    ASSERT_TRUE(chaos.world().violations().empty())
        << "event " << i << ": " << chaos.world().violations().front();
  }
  if (restarts) {
    chaos.world().restart();
  }
  chaos.world().start(WorkerRole::kSynth);
  chaos.world().start(WorkerRole::kGpu, 2);
  chaos.world().settle(100000);
  ASSERT_TRUE(chaos.world().violations().empty()) << chaos.world().violations().front();
  expect_everything_ended(chaos.world());
  EXPECT_GT(chaos.world().ended().size(), static_cast<std::size_t>(events / 200));
}

std::uint64_t seed_from_environment() {
  const char* text = std::getenv("BATON_TEST_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

TEST(CoordinatorChaos, AMillionEventsLeaveNothingBehindAndBreakNoRule) {
  for (std::uint64_t run = 0; run < 20; ++run) {
    run_chaos(seed_from_environment() + run, false, 25000);
  }
}

TEST(CoordinatorChaos, RestartsInTheMiddleLoseNothing) {
  for (std::uint64_t run = 0; run < 20; ++run) {
    run_chaos(seed_from_environment() + 1000 + run, true, 25000);
  }
}

}  // namespace
}  // namespace baton
