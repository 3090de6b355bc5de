#include "coordinator/job_queue.hpp"

#include <algorithm>

namespace baton {

std::size_t rank_of(wire::Priority priority) noexcept {
  return priority == wire::PRIORITY_CRITICAL ? 0 : priority == wire::PRIORITY_LOW ? 2 : 1;
}

bool RankedJobs::empty() const noexcept {
  return std::all_of(by_rank_.begin(), by_rank_.end(), [](const auto& jobs) { return jobs.empty(); });
}

std::size_t RankedJobs::size() const noexcept {
  return by_rank_[0].size() + by_rank_[1].size() + by_rank_[2].size();
}

std::vector<JobId> RankedJobs::ordered(std::size_t limit, bool oldest_first) const {
  std::vector<JobId> result;
  for (const std::set<JobId>& jobs : by_rank_) {
    std::size_t taken = 0;
    for (auto job = jobs.begin(); job != jobs.end() && taken < limit; ++job, ++taken) {
      result.push_back(*job);
    }
  }
  if (oldest_first) {
    std::sort(result.begin(), result.end());
  }
  result.resize(std::min(result.size(), limit));
  return result;
}

Job& JobQueue::add(JobId id, const std::string& key) {
  Job& job = jobs_[id];
  job.id = id;
  job.submit.set_key(key);
  if (!key.empty()) {
    keys_[key] = id;
  }
  ++open_;
  return job;
}

Job* JobQueue::find(JobId id) noexcept {
  const auto found = jobs_.find(id);
  return found == jobs_.end() ? nullptr : &found->second;
}

Job* JobQueue::find_key(const std::string& key) noexcept {
  const auto found = keys_.find(key);
  return found == keys_.end() ? nullptr : find(found->second);
}

void JobQueue::remove(JobId id) {
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) {
    return;
  }
  dequeue(found->second);
  deadlines_.erase({found->second.deadline, id});
  if (found->second.stage != JobStage::kEnded) {
    --open_;
  }
  const auto key = keys_.find(found->second.submit.key());
  if (key != keys_.end() && key->second == id) {
    keys_.erase(key);
  }
  jobs_.erase(found);
}

void JobQueue::enqueue(const Job& job) {
  if (job.stage == JobStage::kWaitCircuit) {
    circuit_[job.circuit].insert(job.id);
  } else if (job.stage == JobStage::kWaitFill || job.stage == JobStage::kWaitProve) {
    if (job.not_before != Instant{}) {
      delayed_.insert({job.not_before, job.id});
    } else if (job.stage == JobStage::kWaitFill) {
      fill_[job.circuit].insert(job);
    } else {
      prove_.insert(job);
    }
  }
}

void JobQueue::dequeue(const Job& job) {
  if (job.not_before != Instant{}) {
    delayed_.erase({job.not_before, job.id});
  }
  if (job.stage == JobStage::kWaitCircuit) {
    const auto waiting = circuit_.find(job.circuit);
    waiting->second.erase(job.id);
    if (waiting->second.empty()) {
      circuit_.erase(waiting);
    }
  } else if (job.stage == JobStage::kWaitFill) {
    const auto waiting = fill_.find(job.circuit);
    if (waiting != fill_.end()) {
      waiting->second.erase(job);
      if (waiting->second.empty()) {
        fill_.erase(waiting);
      }
    }
  } else if (job.stage == JobStage::kWaitProve) {
    prove_.erase(job);
  }
}

void JobQueue::set_stage(Job& job, JobStage stage, Instant now) {
  dequeue(job);
  job.stage = stage;
  job.stage_since = now;
  job.not_before = {};
  enqueue(job);
  if (job.is_over()) {
    deadlines_.erase({job.deadline, job.id});
  }
  if (stage == JobStage::kEnded) {
    --open_;
    ended_.push_back(job.id);
  }
}

void JobQueue::delay(Job& job, Instant until) {
  dequeue(job);
  job.not_before = until;
  enqueue(job);
}

void JobQueue::set_deadline(Job& job, Instant deadline) {
  deadlines_.erase({job.deadline, job.id});
  job.deadline = deadline;
  if (deadline != Instant::max()) {
    deadlines_.insert({deadline, job.id});
  }
}

std::vector<JobId> JobQueue::waiting_circuit(CircuitId circuit) const {
  const auto found = circuit_.find(circuit);
  return found == circuit_.end() ? std::vector<JobId>{}
                                 : std::vector<JobId>(found->second.begin(), found->second.end());
}

void JobQueue::wake(Instant now) {
  while (!delayed_.empty() && delayed_.begin()->first <= now) {
    Job& job = jobs_.at(delayed_.begin()->second);
    delayed_.erase(delayed_.begin());
    job.not_before = {};
    enqueue(job);
  }
}

std::vector<JobId> JobQueue::overdue(Instant now) const {
  std::vector<JobId> jobs;
  for (auto entry = deadlines_.begin(); entry != deadlines_.end() && entry->first <= now; ++entry) {
    jobs.push_back(entry->second);
  }
  return jobs;
}

Instant JobQueue::next_time() const noexcept {
  Instant next = Instant::max();
  if (!delayed_.empty()) {
    next = std::min(next, delayed_.begin()->first);
  }
  if (!deadlines_.empty()) {
    next = std::min(next, deadlines_.begin()->first);
  }
  return next;
}

std::size_t JobQueue::waiting() const noexcept {
  std::size_t count = prove_.size() + delayed_.size();
  for (const auto& [circuit, jobs] : fill_) {
    count += jobs.size();
  }
  for (const auto& [circuit, jobs] : circuit_) {
    count += jobs.size();
  }
  return count;
}

void JobQueue::forget_ended(std::size_t keep) {
  while (ended_.size() > keep) {
    remove(ended_.front());
    ended_.pop_front();
  }
}

}  // namespace baton
