#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "shared/contract/lease.hpp"
#include "shared/contract/messages.pb.h"
#include "shared/contract/slot_layout.hpp"
#include "shared/support/result.hpp"

namespace baton {

inline constexpr std::size_t kMaxPath = 4096;
inline constexpr std::size_t kMaxName = 128;  ///< circuit names, idempotency keys
inline constexpr std::size_t kMaxText = 2048;
inline constexpr std::size_t kMaxInputBytes = 1u << 20;
inline constexpr std::size_t kMaxProofBytes = 1024;
inline constexpr std::size_t kMaxPublicBytes = 2u << 20;
/// No frame is larger, whatever its kind.
inline constexpr std::size_t kMaxFrameBytes = 16u << 20;

/// Largest encoding of one kind of message (Envelope::BodyCase).
[[nodiscard]] std::size_t max_encoded_bytes(wire::Envelope::BodyCase kind) noexcept;

/// Lower-case name of a kind, for logs.
[[nodiscard]] std::string_view name_of(wire::Envelope::BodyCase kind) noexcept;

/// The frame of `envelope`, whose `protocol` is set here. Fails where decode would: nobody sends what nobody
/// takes.
[[nodiscard]] Result<std::string> encode(wire::Envelope& envelope);

/// A checked message: its protocol is ours (else kVersionMismatch), it has a body no larger than its kind
/// allows, every id, enum, code, length and count is in range. Never throws, never logs, allocates no more
/// than a small multiple of the frame.
[[nodiscard]] Result<wire::Envelope> decode(std::span<const std::byte> frame);
[[nodiscard]] Result<wire::Envelope> decode(std::string_view frame);

/// True for kinds that a worker / a client sends to the coordinator.
[[nodiscard]] bool is_from_worker(wire::Envelope::BodyCase kind) noexcept;
[[nodiscard]] bool is_from_client(wire::Envelope::BodyCase kind) noexcept;

// Between checked wire messages and plain ids.
[[nodiscard]] inline Lease from_wire(const wire::Lease& lease) {
  return {lease.slot(), lease.generation()};
}
[[nodiscard]] inline Attempt from_wire(const wire::Attempt& attempt) {
  return {attempt.job(), attempt.number(), static_cast<Epoch>(attempt.epoch())};
}
inline void to_wire(const Lease& lease, wire::Lease* out) {
  out->set_slot(lease.slot);
  out->set_generation(lease.generation);
}
inline void to_wire(const Attempt& attempt, wire::Attempt* out) {
  out->set_job(attempt.job);
  out->set_number(attempt.number);
  out->set_epoch(attempt.epoch);
}
/// `bytes` has 16 bytes in a checked message.
[[nodiscard]] Digest digest_from_wire(std::string_view bytes);
[[nodiscard]] std::string digest_to_wire(const Digest& digest);
[[nodiscard]] CircuitShape shape_of(const wire::Circuit& circuit);
[[nodiscard]] Status status_from_wire(std::uint32_t code, std::string_view text);
/// A text no longer than kMaxText, cut where it must be; NULs become spaces.
[[nodiscard]] std::string bounded_text(std::string_view text);

}  // namespace baton
