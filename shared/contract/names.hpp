#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "shared/contract/lease.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// Longest path of a Unix socket (sun_path without its NUL).
inline constexpr std::size_t kMaxSocketPath = 107;

/// Files of a run directory. `run_dir` is absolute and without a trailing slash.
[[nodiscard]] std::string lock_path(std::string_view run_dir);
[[nodiscard]] std::string journal_path(std::string_view run_dir);
[[nodiscard]] std::string circuit_cache_dir(std::string_view run_dir);
[[nodiscard]] std::string worker_socket_path(std::string_view run_dir);
[[nodiscard]] std::string client_socket_path(std::string_view run_dir);

/// "ipc://PATH" of the two sockets; kLimit when the path is longer than a Unix socket takes.
[[nodiscard]] Result<std::string> worker_endpoint(std::string_view run_dir);
[[nodiscard]] Result<std::string> client_endpoint(std::string_view run_dir);

/// "/dev/shm/baton-UID-HASH": the 0700 directory of all segments of one run directory. HASH is of its path.
[[nodiscard]] std::string shm_directory(std::uint32_t uid, std::string_view run_dir);

/// "SESSION.ledger" and "SESSION.slot-N-ID" inside that directory; SESSION is 16 hexadecimal digits.
[[nodiscard]] std::string ledger_name(SessionId session);
[[nodiscard]] std::string slot_name(SessionId session, SlotId slot, SegmentId segment);

struct SegmentName {
  SessionId session = 0;
  bool is_ledger = false;
  SlotId slot = 0;
  SegmentId segment = 0;
  friend bool operator==(const SegmentName&, const SegmentName&) = default;
};

/// The reverse of ledger_name and slot_name; nothing for any other text.
[[nodiscard]] std::optional<SegmentName> parse_segment_name(std::string_view name);

/// Routing id of one life of a worker: "ROLE-PID-START-NONCE-ANNOUNCEMENT"; never used twice.
[[nodiscard]] std::string worker_routing_id(WorkerRole role, std::uint32_t pid, std::uint64_t start_time,
                                            std::uint64_t nonce, std::uint32_t announcement);

}  // namespace baton
