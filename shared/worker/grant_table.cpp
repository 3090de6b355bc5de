#include "shared/worker/grant_table.hpp"

#include <algorithm>

#include "shared/contract/codec.hpp"

namespace baton {

GrantTable::Grant* GrantTable::find(const Attempt& attempt) noexcept {
  const auto found = std::find_if(grants_.begin(), grants_.end(),
                                  [&](const Grant& grant) { return grant.attempt == attempt; });
  return found == grants_.end() ? nullptr : &*found;
}

GrantTable::Add GrantTable::add(const Attempt& attempt, const std::optional<Lease>& lease) {
  if (const Grant* known = find(attempt)) {
    return known->result ? Add::kCompleted : Add::kRunning;
  }
  Grant grant;
  grant.attempt = attempt;
  grant.lease = lease;
  grant.lease_held = lease.has_value();
  grants_.push_back(std::move(grant));
  return Add::kNew;
}

void GrantTable::release_lease(const Attempt& attempt) noexcept {
  if (Grant* grant = find(attempt)) {
    grant->lease_held = false;
  }
}

void GrantTable::complete(const Attempt& attempt, wire::Envelope result, Instant now) {
  if (Grant* grant = find(attempt)) {
    grant->result = std::move(result);
    grant->sent = now;
  }
}

void GrantTable::acknowledge(const Attempt& attempt) noexcept {
  std::erase_if(grants_,
                [&](const Grant& grant) { return grant.attempt == attempt && grant.result.has_value(); });
}

std::vector<wire::Envelope> GrantTable::take_due(Instant now) {
  std::vector<wire::Envelope> due;
  for (Grant& grant : grants_) {
    if (grant.result && grant.sent + kResendAfter <= now) {
      grant.sent = now;
      due.push_back(*grant.result);
    }
  }
  return due;
}

std::vector<wire::Envelope> GrantTable::take_all(Instant now) {
  std::vector<wire::Envelope> all;
  for (Grant& grant : grants_) {
    if (grant.result) {
      grant.sent = now;
      all.push_back(*grant.result);
    }
  }
  return all;
}

std::optional<Instant> GrantTable::next_due() const noexcept {
  std::optional<Instant> next;
  for (const Grant& grant : grants_) {
    if (grant.result && (!next || grant.sent + kResendAfter < *next)) {
      next = grant.sent + kResendAfter;
    }
  }
  return next;
}

void GrantTable::announce(wire::Hello& hello) const {
  for (const Grant& grant : grants_) {
    if (grant.lease_held) {
      wire::HeldLease* held = hello.add_held();
      to_wire(*grant.lease, held->mutable_lease());
      to_wire(grant.attempt, held->mutable_attempt());
      held->set_completed(grant.result.has_value());
    } else {
      to_wire(grant.attempt, hello.add_running());
    }
  }
}

bool GrantTable::is_running(const Attempt& attempt) const noexcept {
  return std::any_of(grants_.begin(), grants_.end(), [&](const Grant& grant) {
    return grant.attempt == attempt && !grant.result.has_value();
  });
}

bool GrantTable::uses_slot(SlotId slot) const noexcept {
  return std::any_of(grants_.begin(), grants_.end(), [&](const Grant& grant) {
    return grant.lease && grant.lease->slot == slot && !grant.result.has_value();
  });
}

std::size_t GrantTable::running() const noexcept {
  return static_cast<std::size_t>(std::count_if(
      grants_.begin(), grants_.end(), [](const Grant& grant) { return !grant.result.has_value(); }));
}

}  // namespace baton
