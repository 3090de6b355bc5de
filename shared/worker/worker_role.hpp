#pragma once

#include <span>

#include "shared/contract/ledger.hpp"
#include "shared/contract/messages.pb.h"
#include "shared/segments/slot_segment.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// A slot as this worker has it mapped. Stays valid while an attempt that was granted the slot is unfinished.
struct AttachedSlot {
  SlotIdentity identity;
  Segment segment;
};

/// What a synth-worker and a gpu-worker do differently. The session calls every function from its own thread
/// and none may block for long: work goes to the role's threads, results come back through the Outbox.
/// Grants have been checked (session, incarnation, ledger, slot attached) and are never repeated.
class WorkerRoleHandler {
 public:
  virtual ~WorkerRoleHandler() = default;

  /// Role, lanes, device and loaded keys.
  virtual void describe(wire::Hello& hello) = 0;

  /// The worker is welcome; `ledger` is mapped read-only and stays valid until the session ends.
  virtual void welcomed(const wire::Welcome& welcome, const Ledger& ledger) = 0;

  /// A segment has been mapped. Failure: this worker cannot use it; it is unmapped again.
  virtual Status attached(const AttachedSlot& slot) = 0;

  /// The segment is unmapped next; no attempt uses it.
  virtual void detaching(const AttachedSlot& slot) = 0;

  /// FILL, PROVE (with their slot), PREPARE, PRELOAD, UNLOAD (slot null).
  virtual void handle(const wire::Envelope& message, const AttachedSlot* slot) = 0;

  /// The attempt is not wanted any more; it still ends with a result, soon.
  virtual void cancel(const Attempt& attempt) = 0;
};

}  // namespace baton
