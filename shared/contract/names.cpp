#include "shared/contract/names.hpp"

#include <array>
#include <charconv>

namespace baton {

namespace {

std::string hex16(std::uint64_t value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 0; i < 16; ++i) {
    text[15 - i] = kDigits[(value >> (4 * i)) & 0xf];
  }
  return text;
}

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
  }
  return hash;
}

std::string child(std::string_view directory, std::string_view name) {
  return std::string(directory) + "/" + std::string(name);
}

Result<std::string> endpoint(const std::string& path) {
  if (path.size() > kMaxSocketPath) {
    return Status(StatusCode::kLimit, "socket path '" + path + "': expected at most " +
                                          std::to_string(kMaxSocketPath) + " bytes, found " +
                                          std::to_string(path.size()) + "; choose a shorter --run-dir");
  }
  return "ipc://" + path;
}

/// Takes a number without sign, leading zero or overflow off the front of `text`.
template <class T>
bool take_number(std::string_view& text, T& value) {
  if (text.empty() || (text[0] == '0' && text.size() > 1 && text[1] >= '0' && text[1] <= '9')) {
    return false;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) {
    return false;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) {
    return false;
  }
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

std::string lock_path(std::string_view run_dir) {
  return child(run_dir, "lock");
}
std::string journal_path(std::string_view run_dir) {
  return child(run_dir, "journal.sqlite");
}
std::string circuit_cache_dir(std::string_view run_dir) {
  return child(run_dir, "circuits");
}
std::string worker_socket_path(std::string_view run_dir) {
  return child(run_dir, "workers.sock");
}
std::string client_socket_path(std::string_view run_dir) {
  return child(run_dir, "clients.sock");
}

Result<std::string> worker_endpoint(std::string_view run_dir) {
  return endpoint(worker_socket_path(run_dir));
}
Result<std::string> client_endpoint(std::string_view run_dir) {
  return endpoint(client_socket_path(run_dir));
}

std::string shm_directory(std::uint32_t uid, std::string_view run_dir) {
  return "/dev/shm/baton-" + std::to_string(uid) + "-" + hex16(fnv1a(run_dir));
}

std::string ledger_name(SessionId session) {
  return hex16(session) + ".ledger";
}

std::string slot_name(SessionId session, SlotId slot, SegmentId segment) {
  return hex16(session) + ".slot-" + std::to_string(slot) + "-" + std::to_string(segment);
}

std::optional<SegmentName> parse_segment_name(std::string_view name) {
  SegmentName result;
  if (name.size() < 16 ||
      name.substr(0, 16).find_first_not_of("0123456789abcdef") != std::string_view::npos) {
    return std::nullopt;
  }
  std::from_chars(name.data(), name.data() + 16, result.session, 16);
  name.remove_prefix(16);
  if (name == ".ledger") {
    result.is_ledger = true;
    return result;
  }
  if (!take_prefix(name, ".slot-") || !take_number(name, result.slot) || !take_prefix(name, "-") ||
      !take_number(name, result.segment) || !name.empty() || result.slot >= kMaxSlots) {
    return std::nullopt;
  }
  return result;
}

std::string worker_routing_id(WorkerRole role, std::uint32_t pid, std::uint64_t start_time,
                              std::uint64_t nonce, std::uint32_t announcement) {
  return std::string(to_string(role)) + "-" + std::to_string(pid) + "-" + std::to_string(start_time) + "-" +
         hex16(nonce) + "-" + std::to_string(announcement);
}

}  // namespace baton
