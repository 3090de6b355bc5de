#include "coordinator/segment_pool.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "shared/segments/slot_segment.hpp"

namespace baton {

namespace {

unsigned populate_threads() {
  return std::clamp(std::thread::hardware_concurrency(), 1u, 8u);
}

}  // namespace

Result<std::unique_ptr<SegmentPool>> SegmentPool::create(std::string directory, SessionId session) {
  BATON_ASSIGN_OR_RETURN(EventFd event, EventFd::create());
  return std::unique_ptr<SegmentPool>(new SegmentPool(std::move(directory), session, std::move(event)));
}

SegmentPool::SegmentPool(std::string directory, SessionId session, EventFd event)
    : directory_(std::move(directory)),
      session_(session),
      populate_threads_(populate_threads()),
      event_(std::move(event)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

SegmentPool::~SegmentPool() = default;

void SegmentPool::request(const CreateSegment& request) {
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
  }
  changed_.notify_all();
}

std::vector<SegmentReady> SegmentPool::take_ready() {
  event_.drain();
  const std::lock_guard lock(mutex_);
  return std::exchange(ready_, {});
}

Status SegmentPool::adopt(SlotId slot, SegmentId segment, std::uint64_t capacity) {
  BATON_ASSIGN_OR_RETURN(Segment opened, open_slot_segment(directory_, {session_, slot, segment, capacity},
                                                           MappingAccess::kReadOnly));
  const std::lock_guard lock(mutex_);
  segments_.emplace(segment, std::move(opened));
  return Status::ok();
}

Status SegmentPool::drop(SegmentId segment) {
  const std::lock_guard lock(mutex_);
  const auto found = segments_.find(segment);
  if (found == segments_.end()) {
    return Status::ok();
  }
  const Status status = found->second.remove_name(directory_);
  segments_.erase(found);
  return status;
}

void SegmentPool::drop_all() {
  thread_.request_stop();
  if (thread_.joinable()) {
    thread_.join();
  }
  for (const auto& [id, segment] : segments_) {
    if (!segment.remove_name(directory_).is_ok()) {
      continue;  // gone already: nothing is left behind
    }
  }
  segments_.clear();
}

void SegmentPool::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return !requests_.empty(); }) && !stop.stop_requested()) {
    const CreateSegment request = requests_.front();
    requests_.erase(requests_.begin());
    lock.unlock();
    Result<Segment> segment = create_slot_segment(
        directory_, {session_, request.slot, request.segment, request.capacity}, populate_threads_);
    lock.lock();
    ready_.push_back({request.slot, request.segment, segment.status()});
    if (segment.is_ok()) {
      segments_.emplace(request.segment, std::move(segment).value());
    }
    event_.signal();
  }
}

}  // namespace baton
