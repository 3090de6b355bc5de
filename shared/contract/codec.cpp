#include "shared/contract/codec.hpp"

#include <algorithm>
#include <cstring>

#include "shared/contract/message_checks.hpp"
#include "shared/contract/version.hpp"

namespace baton {

namespace {

using Kind = wire::Envelope::BodyCase;

constexpr std::size_t kSmall = 4u << 10;   ///< ids and one text
constexpr std::size_t kPaths = 32u << 10;  ///< a circuit with its paths
constexpr std::size_t kInputs = kMaxInputBytes + kPaths;
constexpr std::size_t kResult = kMaxPublicBytes + kPaths;

enum class Sender : std::uint8_t { kWorker, kCoordinator, kClient };

struct KindInfo {
  Kind kind;
  std::string_view name;
  std::size_t max_bytes;
  Sender sender;
};

constexpr KindInfo kKinds[] = {
    {Kind::kHello, "hello", 256u << 10, Sender::kWorker},
    {Kind::kWelcome, "welcome", 16u << 10, Sender::kCoordinator},
    {Kind::kReject, "reject", kSmall, Sender::kCoordinator},
    {Kind::kAttach, "attach", kSmall, Sender::kCoordinator},
    {Kind::kAttached, "attached", kSmall, Sender::kWorker},
    {Kind::kDetach, "detach", kSmall, Sender::kCoordinator},
    {Kind::kDetached, "detached", kSmall, Sender::kWorker},
    {Kind::kPrepare, "prepare", kPaths, Sender::kCoordinator},
    {Kind::kPrepared, "prepared", kPaths, Sender::kWorker},
    {Kind::kPrepareFailed, "prepare-failed", kSmall, Sender::kWorker},
    {Kind::kPreload, "preload", kPaths, Sender::kCoordinator},
    {Kind::kPreloaded, "preloaded", kSmall, Sender::kWorker},
    {Kind::kUnload, "unload", kSmall, Sender::kCoordinator},
    {Kind::kFill, "fill", kInputs, Sender::kCoordinator},
    {Kind::kFilled, "filled", kSmall, Sender::kWorker},
    {Kind::kFillFailed, "fill-failed", kSmall, Sender::kWorker},
    {Kind::kProve, "prove", kPaths, Sender::kCoordinator},
    {Kind::kUploaded, "uploaded", kSmall, Sender::kWorker},
    {Kind::kProved, "proved", kResult, Sender::kWorker},
    {Kind::kProveFailed, "prove-failed", kSmall, Sender::kWorker},
    {Kind::kCancelAttempt, "cancel-attempt", kSmall, Sender::kCoordinator},
    {Kind::kAck, "ack", kSmall, Sender::kCoordinator},
    {Kind::kShutdown, "shutdown", kSmall, Sender::kCoordinator},
    {Kind::kBye, "bye", kSmall, Sender::kWorker},
    {Kind::kSubmit, "submit", kInputs, Sender::kClient},
    {Kind::kAccepted, "accepted", kSmall, Sender::kCoordinator},
    {Kind::kBusy, "busy", kSmall, Sender::kCoordinator},
    {Kind::kRefused, "refused", kSmall, Sender::kCoordinator},
    {Kind::kJobQuery, "job-query", kSmall, Sender::kClient},
    {Kind::kJobWait, "job-wait", kSmall, Sender::kClient},
    {Kind::kJobReply, "job-reply", kResult, Sender::kCoordinator},
    {Kind::kCancelJob, "cancel-job", kSmall, Sender::kClient},
    {Kind::kCircuitAdd, "circuit-add", kPaths, Sender::kClient},
    {Kind::kCircuitList, "circuit-list", kSmall, Sender::kClient},
    {Kind::kCircuitInfo, "circuit-info", kSmall, Sender::kClient},
    {Kind::kCircuitRemove, "circuit-remove", kSmall, Sender::kClient},
    {Kind::kCircuitReply, "circuit-reply", kMaxFrameBytes, Sender::kCoordinator},
    {Kind::kStatusRequest, "status-request", kSmall, Sender::kClient},
    {Kind::kStatusReply, "status-reply", kMaxFrameBytes, Sender::kCoordinator},
    {Kind::kDrain, "drain", kSmall, Sender::kClient},
    {Kind::kDone, "done", kSmall, Sender::kCoordinator},
    {Kind::kJobList, "job-list", kSmall, Sender::kClient},
    {Kind::kJobListReply, "job-list-reply", kMaxFrameBytes, Sender::kCoordinator},
};

const KindInfo* info_of(Kind kind) noexcept {
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [kind](const KindInfo& info) { return info.kind == kind; });
  return found == std::end(kKinds) ? nullptr : found;
}

Status check_size(Kind kind, std::size_t bytes) {
  const KindInfo* info = info_of(kind);
  if (info == nullptr) {
    return {StatusCode::kCorrupt, "message: expected a body, found none that this build knows"};
  }
  if (bytes > info->max_bytes) {
    return {StatusCode::kLimit, "message " + std::string(info->name) + ": expected at most " +
                                    std::to_string(info->max_bytes) + " bytes, found " +
                                    std::to_string(bytes)};
  }
  return Status::ok();
}

}  // namespace

std::size_t max_encoded_bytes(Kind kind) noexcept {
  const KindInfo* info = info_of(kind);
  return info == nullptr ? 0 : info->max_bytes;
}

std::string_view name_of(Kind kind) noexcept {
  const KindInfo* info = info_of(kind);
  return info == nullptr ? "none" : info->name;
}

bool is_from_worker(Kind kind) noexcept {
  const KindInfo* info = info_of(kind);
  return info != nullptr && info->sender == Sender::kWorker;
}

bool is_from_client(Kind kind) noexcept {
  const KindInfo* info = info_of(kind);
  return info != nullptr && info->sender == Sender::kClient;
}

Result<std::string> encode(wire::Envelope& envelope) {
  envelope.set_protocol(kProtocolVersion);
  BATON_RETURN_IF_ERROR(check_message(envelope));
  std::string frame;
  if (!envelope.SerializeToString(&frame)) {
    return internal_error("message " + std::string(name_of(envelope.body_case())) + ": not serialisable");
  }
  BATON_RETURN_IF_ERROR(check_size(envelope.body_case(), frame.size()));
  return frame;
}

Result<wire::Envelope> decode(std::span<const std::byte> frame) {
  if (frame.size() > kMaxFrameBytes) {
    return Status(StatusCode::kLimit, "message: expected at most " + std::to_string(kMaxFrameBytes) +
                                          " bytes, found " + std::to_string(frame.size()));
  }
  wire::Envelope envelope;
  if (!envelope.ParseFromArray(frame.data(), static_cast<int>(frame.size()))) {
    return Status(StatusCode::kCorrupt, "message: " + std::to_string(frame.size()) + " bytes do not parse");
  }
  if (envelope.protocol() != kProtocolVersion) {
    return Status(StatusCode::kVersionMismatch, "message: expected protocol " +
                                                    std::to_string(kProtocolVersion) + ", found " +
                                                    std::to_string(envelope.protocol()));
  }
  BATON_RETURN_IF_ERROR(check_size(envelope.body_case(), frame.size()));
  BATON_RETURN_IF_ERROR(check_message(envelope));
  return envelope;
}

Result<wire::Envelope> decode(std::string_view frame) {
  return decode(std::as_bytes(std::span(frame.data(), frame.size())));
}

Digest digest_from_wire(std::string_view bytes) {
  Digest digest{};
  std::memcpy(digest.data(), bytes.data(), std::min(bytes.size(), digest.size()));
  return digest;
}

std::string digest_to_wire(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

CircuitShape shape_of(const wire::Circuit& circuit) {
  return {circuit.n_vars(), circuit.n_public(), circuit.domain_size(), circuit.has_c()};
}

Status status_from_wire(std::uint32_t code, std::string_view text) {
  if (code == 0) {
    return Status::ok();
  }
  return {static_cast<StatusCode>(code), std::string(text)};
}

std::string bounded_text(std::string_view text) {
  std::string result(text.substr(0, kMaxText));
  std::replace(result.begin(), result.end(), '\0', ' ');
  return result;
}

}  // namespace baton
