#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "shared/contract/lease.hpp"
#include "shared/contract/messages.pb.h"
#include "shared/support/clock.hpp"

namespace baton {

/// What this worker owes: every grant that it has taken and whose result is not acknowledged. Pure; the clock
/// is passed in. A worker has a handful of grants, so everything is a walk over a vector.
class GrantTable {
 public:
  /// How long a result waits for its acknowledgement before it is sent again.
  static constexpr Milliseconds kResendAfter{500};

  enum class Add { kNew, kRunning, kCompleted };

  /// Takes note of a grant. kRunning, kCompleted: it is known already and nothing was changed.
  Add add(const Attempt& attempt, const std::optional<Lease>& lease);

  /// The attempt will not touch its slot again; the result is still owed.
  void release_lease(const Attempt& attempt) noexcept;

  /// The result of an attempt. It counts as just sent.
  void complete(const Attempt& attempt, wire::Envelope result, Instant now);

  /// Forgets the attempt, if its result is there; one that still runs stays.
  void acknowledge(const Attempt& attempt) noexcept;

  /// Results that have waited long enough at `now`; they count as sent again.
  std::vector<wire::Envelope> take_due(Instant now);

  /// All results at once, as after a reconnection; they count as sent at `now`.
  std::vector<wire::Envelope> take_all(Instant now);

  /// When take_due has something next; nothing when no result waits.
  [[nodiscard]] std::optional<Instant> next_due() const noexcept;

  /// The attempts as HELLO announces them.
  void announce(wire::Hello& hello) const;

  [[nodiscard]] bool is_running(const Attempt& attempt) const noexcept;
  /// True while an unfinished attempt was granted this slot, lease released or not.
  [[nodiscard]] bool uses_slot(SlotId slot) const noexcept;
  [[nodiscard]] bool empty() const noexcept { return grants_.empty(); }
  [[nodiscard]] std::size_t running() const noexcept;

 private:
  struct Grant {
    Attempt attempt;
    std::optional<Lease> lease;
    bool lease_held = false;
    std::optional<wire::Envelope> result;
    Instant sent{};
  };
  [[nodiscard]] Grant* find(const Attempt& attempt) noexcept;

  std::vector<Grant> grants_;
};

}  // namespace baton
