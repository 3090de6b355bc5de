#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "shared/contract/lease.hpp"
#include "shared/contract/messages.pb.h"
#include "shared/support/clock.hpp"
#include "shared/support/status.hpp"

namespace baton {

enum class CircuitStage : std::uint8_t { kWaiting, kPreparing, kReady, kFailed };

struct Circuit {
  CircuitId id = 0;
  std::string name;  ///< empty: known by its files only
  CircuitStage stage = CircuitStage::kWaiting;
  wire::Circuit info;
  Status failure;
  std::uint64_t slot_bytes = 0;  ///< size class of its slots, once ready
  Attempt attempt;               ///< of the PREPARE that runs
  std::uint32_t attempts = 0;
  std::uint32_t strikes = 0;
  std::uint64_t jobs = 0;  ///< not ended
  std::uint64_t last_use = 0;
  bool replaced = false;   ///< its files have changed; no new jobs
  bool preloaded = false;  ///< gpu-workers were told
};

/// Circuits of a session: named ones, and those that came with a job that named its files.
class CircuitRegistry {
 public:
  Circuit& add(const std::string& name, const wire::CircuitSource& source);
  Circuit& adopt(CircuitId id);
  /// Numbers up to this one are not given any more.
  void skip_to(CircuitId id) noexcept { last_id_ = std::max(last_id_, id); }
  [[nodiscard]] Circuit* find(CircuitId id) noexcept;
  [[nodiscard]] Circuit* find_name(const std::string& name) noexcept;
  /// An unreplaced circuit of exactly these files.
  [[nodiscard]] Circuit* find_source(const wire::CircuitSource& source) noexcept;
  void remove(CircuitId id);
  /// The circuit takes no new jobs; its name and files are free for another.
  void detach(Circuit& circuit);
  /// The idle anonymous circuit whose last use is longest ago; nothing when there is none.
  [[nodiscard]] Circuit* idlest_anonymous() noexcept;

  [[nodiscard]] std::unordered_map<CircuitId, Circuit>& all() noexcept { return circuits_; }
  [[nodiscard]] const std::unordered_map<CircuitId, Circuit>& all() const noexcept { return circuits_; }

  /// Enters a circuit that was adopted into the look-ups by name and files.
  void index(Circuit& circuit);

 private:
  std::unordered_map<CircuitId, Circuit> circuits_;
  std::unordered_map<std::string, CircuitId> names_;
  std::unordered_map<std::string, CircuitId> sources_;
  CircuitId last_id_ = 0;
};

}  // namespace baton
