#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "coordinator/actions.hpp"
#include "coordinator/events.hpp"
#include "shared/segments/segment.hpp"
#include "shared/support/event_fd.hpp"

namespace baton {

/// The segments of this session's slots. They are made by a thread of its own, since populating takes a
/// while; all methods are for the event loop.
class SegmentPool {
 public:
  static Result<std::unique_ptr<SegmentPool>> create(std::string directory, SessionId session);
  ~SegmentPool();

  void request(const CreateSegment& request);
  /// What has been made, or could not be.
  [[nodiscard]] std::vector<SegmentReady> take_ready();
  /// Readable while something waits in take_ready.
  [[nodiscard]] int fd() const noexcept { return event_.fd(); }

  /// Opens a segment that another coordinator made, so that it is not taken for an orphan.
  Status adopt(SlotId slot, SegmentId segment, std::uint64_t capacity);
  /// Removes the name; whoever has it mapped keeps it.
  Status drop(SegmentId segment);
  /// Ends the thread and removes all names.
  void drop_all();

 private:
  SegmentPool(std::string directory, SessionId session, EventFd event);
  void work(const std::stop_token& stop);

  const std::string directory_;
  const SessionId session_;
  const unsigned populate_threads_;
  EventFd event_;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<CreateSegment> requests_;
  std::vector<SegmentReady> ready_;
  std::map<SegmentId, Segment> segments_;
  std::jthread thread_;  ///< last: it uses all the others
};

}  // namespace baton
