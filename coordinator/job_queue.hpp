#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "shared/contract/lease.hpp"
#include "shared/contract/messages.pb.h"
#include "shared/contract/slot_layout.hpp"
#include "shared/support/clock.hpp"

namespace baton {

inline constexpr SlotId kNoSlot = kMaxSlots;
inline constexpr std::size_t kRanks = 3;

/// 0 critical, 1 normal, 2 low.
[[nodiscard]] std::size_t rank_of(wire::Priority priority) noexcept;

enum class JobStage : std::uint8_t {
  kAccepting = 0,    ///< the journal has not committed it
  kWaitCircuit = 1,  ///< its circuit is being prepared
  kWaitFill = 2,
  kFilling = 3,
  kWaitProve = 4,  ///< its slot is sealed
  kProving = 5,
  kHeld = 6,    ///< a worker of the former coordinator may have it
  kEnding = 7,  ///< the journal has not committed its end
  kEnded = 8,
};

/// Somebody who waits for a job's answer.
struct Watcher {
  std::string peer;
  std::uint64_t request = 0;
  bool every_change = false;
  Instant until = Instant::max();
};

/// One job from its acceptance until it leaves memory.
struct Job {
  JobId id = 0;
  JobStage stage = JobStage::kAccepting;
  CircuitId circuit = 0;
  std::string payload;  ///< digest of what was submitted, 16 bytes
  wire::Submit submit;  ///< emptied of its input at the end
  SlotId slot = kNoSlot;
  Attempt attempt;  ///< open while number is not 0 and the stage is filling or proving
  std::uint32_t attempts = 0;
  std::uint32_t fills = 0;
  std::uint32_t proves = 0;
  std::uint32_t failures = 0;
  std::uint32_t strikes = 0;
  bool suspect = false;  ///< runs alone next
  Epoch avoid = 0;       ///< another worker is preferred
  std::string story;     ///< the last failure
  Instant accepted{};
  Instant stage_since{};
  Instant not_before{};
  Instant deadline = Instant::max();
  wire::JobTimings timings;
  std::vector<Watcher> watchers;
  wire::JobReply reply;  ///< the answer, once the stage is ending or ended

  [[nodiscard]] bool is_over() const noexcept {
    return stage == JobStage::kEnding || stage == JobStage::kEnded;
  }
  [[nodiscard]] std::size_t rank() const noexcept { return rank_of(submit.priority()); }
};

/// Jobs in order of priority, then of acceptance.
class RankedJobs {
 public:
  void insert(const Job& job) { by_rank_[job.rank()].insert(job.id); }
  void erase(const Job& job) { by_rank_[job.rank()].erase(job.id); }
  [[nodiscard]] bool empty() const noexcept;
  [[nodiscard]] std::size_t size() const noexcept;
  /// Best first. `oldest_first` ignores the priorities, so that nobody starves.
  [[nodiscard]] std::vector<JobId> ordered(std::size_t limit, bool oldest_first) const;

 private:
  std::array<std::set<JobId>, kRanks> by_rank_;
};

/// All jobs in memory and where they wait.
class JobQueue {
 public:
  Job& add(JobId id, const std::string& key);
  [[nodiscard]] Job* find(JobId id) noexcept;
  [[nodiscard]] Job* find_key(const std::string& key) noexcept;
  void remove(JobId id);

  /// Moves the job, with its place in the queues that the stage implies.
  void set_stage(Job& job, JobStage stage, Instant now);
  /// A job at a waiting stage is not offered before this time.
  void delay(Job& job, Instant until);
  void set_deadline(Job& job, Instant deadline);

  /// Jobs that wait for a fill, by circuit; circuits without any are absent.
  [[nodiscard]] const std::unordered_map<CircuitId, RankedJobs>& waiting_fill() const noexcept {
    return fill_;
  }
  [[nodiscard]] const RankedJobs& waiting_prove() const noexcept { return prove_; }
  [[nodiscard]] std::vector<JobId> waiting_circuit(CircuitId circuit) const;

  /// Puts jobs whose delay is over into their queues.
  void wake(Instant now);
  /// Jobs whose deadline has passed.
  [[nodiscard]] std::vector<JobId> overdue(Instant now) const;
  [[nodiscard]] Instant next_time() const noexcept;

  /// Accepted and not ended.
  [[nodiscard]] std::size_t open() const noexcept { return open_; }
  [[nodiscard]] std::size_t waiting() const noexcept;
  [[nodiscard]] std::unordered_map<JobId, Job>& all() noexcept { return jobs_; }
  [[nodiscard]] const std::unordered_map<JobId, Job>& all() const noexcept { return jobs_; }
  /// Ended jobs beyond the newest `keep` leave memory.
  void forget_ended(std::size_t keep);

 private:
  void enqueue(const Job& job);
  void dequeue(const Job& job);

  std::unordered_map<JobId, Job> jobs_;
  std::unordered_map<std::string, JobId> keys_;
  std::unordered_map<CircuitId, RankedJobs> fill_;
  std::unordered_map<CircuitId, std::set<JobId>> circuit_;
  RankedJobs prove_;
  std::set<std::pair<Instant, JobId>> delayed_;
  std::set<std::pair<Instant, JobId>> deadlines_;
  std::deque<JobId> ended_;
  std::size_t open_ = 0;
};

}  // namespace baton
