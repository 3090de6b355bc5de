#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "shared/contract/lease.hpp"
#include "shared/contract/ledger.hpp"
#include "shared/support/clock.hpp"

namespace baton {

/// Something granted to a worker and not completed yet. Outlives its job when that is cancelled.
struct Task {
  Attempt attempt;
  std::optional<Lease> lease;  ///< absent for a PREPARE, and once the slot was given to somebody else
  Instant deadline{};
  bool cancelled = false;  ///< told to stop; `deadline` is the end of the grace
  bool closed = false;     ///< its result no longer counts
};

enum class WorkerState : std::uint8_t {
  kExpected,  ///< left over by another coordinator; neither announced nor dead yet
  kReady,
  kLeaving,  ///< no new grants: its device failed, or it said BYE
  kDoomed,   ///< a kill was sent
};

struct Worker {
  Epoch epoch = 0;
  std::uint32_t index = 0;  ///< in the ledger's table
  WorkerRole role{};
  WorkerState state = WorkerState::kReady;
  std::string peer;  ///< routing id of its present socket; empty: none
  std::uint32_t pid = 0;
  std::uint64_t start_time = 0;
  std::uint64_t nonce = 0;
  std::uint32_t lanes = 1;
  std::string backend;
  Instant since{};
  std::uint64_t last_grant = 0;  ///< counts grants of the whole service; the smallest waits longest
  std::uint64_t completed = 0;
  std::uint64_t failed = 0;
  bool suspect_aboard = false;
  JobId killed_for = 0;  ///< the late job of a doomed worker
  std::vector<Task> tasks;
  std::unordered_set<CircuitId> keys;           ///< loaded or loading
  std::map<CircuitId, std::uint64_t> resident;  ///< bytes of each key that its backend holds, as it last said

  [[nodiscard]] bool has_room() const noexcept {
    return state == WorkerState::kReady && !suspect_aboard && tasks.size() < lanes;
  }
  [[nodiscard]] Task* find(const Attempt& attempt) noexcept;
  void erase(const Attempt& attempt) noexcept;
};

/// Workers by epoch and by routing id. Epochs are not reused while anybody could still mean the old one.
class WorkerRegistry {
 public:
  /// A new life with the next epoch; nothing when the table is full.
  Worker* add(WorkerRole role);
  /// Takes over an entry of the ledger.
  Worker& adopt(std::uint32_t index, const WorkerEntry& entry);
  void remove(Epoch epoch);

  [[nodiscard]] Worker* find(Epoch epoch) noexcept;
  [[nodiscard]] Worker* find_peer(const std::string& peer) noexcept;
  [[nodiscard]] Worker* find_process(std::uint32_t pid, std::uint64_t start_time) noexcept;
  [[nodiscard]] Worker* at_index(std::uint32_t index) noexcept;

  /// The worker's messages come from `peer` from now on and from no other.
  void set_peer(Worker& worker, const std::string& peer);

  [[nodiscard]] std::unordered_map<Epoch, Worker>& all() noexcept { return workers_; }
  [[nodiscard]] const std::unordered_map<Epoch, Worker>& all() const noexcept { return workers_; }

  /// Ready workers of a role, and their lanes.
  [[nodiscard]] std::uint32_t count(WorkerRole role) const noexcept;
  [[nodiscard]] std::uint32_t lanes(WorkerRole role) const noexcept;

  [[nodiscard]] static WorkerEntry entry(const Worker& worker) noexcept;

 private:
  std::unordered_map<Epoch, Worker> workers_;
  std::unordered_map<std::string, Epoch> peers_;
  std::vector<Epoch> by_index_ = std::vector<Epoch>(kMaxWorkers, 0);
  Epoch last_epoch_ = 0;
};

}  // namespace baton
