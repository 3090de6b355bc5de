#pragma once

#include <string>
#include <variant>

#include "coordinator/journal.hpp"
#include "shared/contract/lease.hpp"
#include "shared/contract/messages.pb.h"
#include "shared/support/status.hpp"

namespace baton {

/// A checked message of a worker. For HELLO `identity` says whether a process of this user with that pid and
/// start time was found; for other kinds it is ok.
struct FromWorker {
  std::string peer;
  wire::Envelope message;
  Status identity;
};
/// A checked message of a client.
struct FromClient {
  std::string peer;
  wire::Envelope message;
};
/// A frame that was no message; `from_worker` says on which socket.
struct BadFrame {
  std::string peer;
  bool from_worker = false;
  Status status;
};
/// The kernel says that the worker's process has ended.
struct WorkerEnded {
  Epoch epoch = 0;
};
struct SendFailed {
  std::string peer;
  bool to_worker = false;
};
struct SegmentReady {
  SlotId slot = 0;
  SegmentId segment = 0;
  Status status;
};
struct JournalAnswered {
  JournalReply reply;
};
/// Time has passed.
struct Tick {};
/// Finish what runs and leave; a second one leaves at once.
struct StopRequested {
  std::uint64_t grace_ms = 0;
};

using Event = std::variant<FromWorker, FromClient, BadFrame, WorkerEnded, SendFailed, SegmentReady,
                           JournalAnswered, Tick, StopRequested>;

}  // namespace baton
