#pragma once

#include <string>
#include <variant>
#include <vector>

#include "coordinator/journal.hpp"
#include "shared/contract/lease.hpp"
#include "shared/contract/ledger.hpp"
#include "shared/contract/messages.pb.h"
#include "shared/support/log.hpp"

namespace baton {

/// What the brain wants done, in this order: journal, ledger, message.
struct SendToWorker {
  std::string peer;
  wire::Envelope message;
};
struct SendToClient {
  std::string peer;
  wire::Envelope message;
};
struct StoreSlot {
  SlotId slot = 0;
  SlotEntry entry{};
};
struct StoreWorker {
  std::uint32_t index = 0;
  WorkerEntry entry{};
};
/// The process that said HELLO from `peer` is this worker; its end must be reported under `epoch`.
struct WatchWorker {
  Epoch epoch = 0;
  std::string peer;
};
struct ForgetWorker {
  Epoch epoch = 0;
};
struct KillWorker {
  Epoch epoch = 0;
};
/// Made by a helper thread; answered with SegmentReady.
struct CreateSegment {
  SlotId slot = 0;
  SegmentId segment = 0;
  std::uint64_t capacity = 0;
};
struct DropSegment {
  SlotId slot = 0;
  SegmentId segment = 0;
};
struct WriteLog {
  LogLevel level = LogLevel::kInfo;
  std::string text;
  LogFields fields;
};
/// Everything is done; leave nothing behind.
struct Finish {};

using Action = std::variant<SendToWorker, SendToClient, StoreSlot, StoreWorker, JournalRecord, WatchWorker,
                            ForgetWorker, KillWorker, CreateSegment, DropSegment, WriteLog, Finish>;
using Actions = std::vector<Action>;

}  // namespace baton
