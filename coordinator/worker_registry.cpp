#include "coordinator/worker_registry.hpp"

#include <algorithm>

namespace baton {

Task* Worker::find(const Attempt& attempt) noexcept {
  const auto found =
      std::find_if(tasks.begin(), tasks.end(), [&](const Task& task) { return task.attempt == attempt; });
  return found == tasks.end() ? nullptr : &*found;
}

void Worker::erase(const Attempt& attempt) noexcept {
  std::erase_if(tasks, [&](const Task& task) { return task.attempt == attempt; });
  if (tasks.empty()) {
    suspect_aboard = false;
  }
}

Worker* WorkerRegistry::add(WorkerRole role) {
  const auto free_index = std::find(by_index_.begin(), by_index_.end(), Epoch{0});
  if (free_index == by_index_.end()) {
    return nullptr;
  }
  do {
    ++last_epoch_;
  } while (last_epoch_ == 0 || workers_.contains(last_epoch_));
  *free_index = last_epoch_;
  Worker& worker = workers_[last_epoch_];
  worker.epoch = last_epoch_;
  worker.index = static_cast<std::uint32_t>(free_index - by_index_.begin());
  worker.role = role;
  return &worker;
}

Worker& WorkerRegistry::adopt(std::uint32_t index, const WorkerEntry& entry) {
  by_index_[index] = entry.epoch;
  last_epoch_ = std::max(last_epoch_, Epoch{entry.epoch});
  Worker& worker = workers_[entry.epoch];
  worker.epoch = entry.epoch;
  worker.index = index;
  worker.role = static_cast<WorkerRole>(entry.role);
  worker.state = WorkerState::kExpected;
  worker.pid = entry.pid;
  worker.start_time = entry.start_time;
  worker.nonce = entry.nonce;
  return worker;
}

void WorkerRegistry::remove(Epoch epoch) {
  const auto found = workers_.find(epoch);
  if (found != workers_.end()) {
    peers_.erase(found->second.peer);
    by_index_[found->second.index] = 0;
    workers_.erase(found);
  }
}

Worker* WorkerRegistry::find(Epoch epoch) noexcept {
  const auto found = workers_.find(epoch);
  return found == workers_.end() ? nullptr : &found->second;
}

Worker* WorkerRegistry::find_peer(const std::string& peer) noexcept {
  const auto found = peers_.find(peer);
  return found == peers_.end() ? nullptr : find(found->second);
}

Worker* WorkerRegistry::find_process(std::uint32_t pid, std::uint64_t start_time) noexcept {
  for (auto& [epoch, worker] : workers_) {
    if (worker.pid == pid && worker.start_time == start_time) {
      return &worker;
    }
  }
  return nullptr;
}

Worker* WorkerRegistry::at_index(std::uint32_t index) noexcept {
  return by_index_[index] == 0 ? nullptr : find(by_index_[index]);
}

void WorkerRegistry::set_peer(Worker& worker, const std::string& peer) {
  peers_.erase(worker.peer);
  worker.peer = peer;
  peers_[peer] = worker.epoch;
}

std::uint32_t WorkerRegistry::count(WorkerRole role) const noexcept {
  return static_cast<std::uint32_t>(
      std::count_if(workers_.begin(), workers_.end(), [role](const auto& entry) {
        return entry.second.role == role && entry.second.state == WorkerState::kReady;
      }));
}

std::uint32_t WorkerRegistry::lanes(WorkerRole role) const noexcept {
  std::uint32_t lanes = 0;
  for (const auto& [epoch, worker] : workers_) {
    lanes += worker.role == role && worker.state == WorkerState::kReady ? worker.lanes : 0;
  }
  return lanes;
}

WorkerEntry WorkerRegistry::entry(const Worker& worker) noexcept {
  WorkerEntry entry{};
  entry.nonce = worker.nonce;
  entry.start_time = worker.start_time;
  entry.pid = worker.pid;
  entry.role = static_cast<std::uint8_t>(worker.role);
  entry.epoch = worker.epoch;
  return entry;
}

}  // namespace baton
