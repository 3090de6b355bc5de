#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace baton {

/// Bytes of one scalar in a slot; the same on every curve.
inline constexpr std::uint64_t kSlotScalarBytes = 32;
inline constexpr std::uint64_t kPageBytes = 4096;
inline constexpr std::uint64_t kLargePageBytes = 2u << 20;
/// "BTNSLOT1" as little-endian bytes.
inline constexpr std::uint64_t kSlotMagic = 0x31544F4C534E5442;
/// Larger domains and wire counts than any key that Baton takes are refused before sizes are computed.
inline constexpr std::uint32_t kMaxDomainSize = 1u << 28;
inline constexpr std::uint32_t kMaxVars = 1u << 29;

/// Index into SlotHeader::sections. w: canonical scalars; a, b, c: Montgomery scalars; all little-endian.
enum class SlotSection : std::uint8_t { kW = 0, kA = 1, kB = 2, kC = 3 };
inline constexpr std::size_t kSectionCount = 4;

/// Bits of SlotHeader::flags.
inline constexpr std::uint32_t kFlagDerivedC = 1;  ///< section c is absent: c = a o b

/// Where one section lies, from the start of the segment. `bytes` is exact, not rounded up to pages.
struct SectionEntry {
  std::uint64_t offset;
  std::uint64_t bytes;
  std::uint64_t checksum;  ///< XXH3-64 of the section's bytes; written by the fill
};
static_assert(sizeof(SectionEntry) == 24 && std::is_trivially_copyable_v<SectionEntry>);

/// 128 bits of XXH3, little-endian (low half first).
using Digest = std::array<std::uint8_t, 16>;

/// First page of a segment. `magic` to `capacity` are written once, by the coordinator, before the segment is
/// published; `job` to `sections` by the worker that fills the slot; `seal` is that worker's last store
/// (release) and is cleared before its first. A reader believes nothing else before it has loaded (acquire)
/// a seal equal to the fill generation of its grant. A crash of the writer leaves the seal zero or old.
struct SlotHeader {
  std::uint64_t magic;
  std::uint32_t layout_version;
  std::uint32_t slot;
  std::uint64_t build_fingerprint;
  std::uint64_t session;
  std::uint64_t capacity;  ///< bytes of the whole segment, this page included
  std::uint32_t segment_id;
  std::uint32_t reserved0;
  std::uint64_t reserved1[2];

  std::uint64_t job;
  Digest input_digest;         ///< XXH3-128 of the witness bytes of section w
  Digest circuit_fingerprint;  ///< names the circuit (key and matrices)
  std::uint32_t curve;         ///< CurveId
  std::uint32_t n_vars;
  std::uint32_t n_public;
  std::uint32_t domain_size;
  std::uint32_t flags;
  std::uint32_t section_count;

  SectionEntry sections[kSectionCount];
  std::uint8_t reserved2[32];

  alignas(64) std::uint64_t seal;  ///< generation of the fill; 0 = not sealed
  std::uint8_t reserved3[56];
  std::uint8_t reserved4[kPageBytes - 320];
};
static_assert(std::is_trivially_copyable_v<SlotHeader> && std::is_standard_layout_v<SlotHeader>);
static_assert(sizeof(SlotHeader) == kPageBytes);
static_assert(offsetof(SlotHeader, magic) == 0);
static_assert(offsetof(SlotHeader, layout_version) == 8);
static_assert(offsetof(SlotHeader, slot) == 12);
static_assert(offsetof(SlotHeader, build_fingerprint) == 16);
static_assert(offsetof(SlotHeader, session) == 24);
static_assert(offsetof(SlotHeader, capacity) == 32);
static_assert(offsetof(SlotHeader, segment_id) == 40);
static_assert(offsetof(SlotHeader, job) == 64);
static_assert(offsetof(SlotHeader, input_digest) == 72);
static_assert(offsetof(SlotHeader, circuit_fingerprint) == 88);
static_assert(offsetof(SlotHeader, curve) == 104);
static_assert(offsetof(SlotHeader, n_vars) == 108);
static_assert(offsetof(SlotHeader, n_public) == 112);
static_assert(offsetof(SlotHeader, domain_size) == 116);
static_assert(offsetof(SlotHeader, flags) == 120);
static_assert(offsetof(SlotHeader, section_count) == 124);
static_assert(offsetof(SlotHeader, sections) == 128);
static_assert(offsetof(SlotHeader, reserved2) == 224);
static_assert(offsetof(SlotHeader, seal) == 256);
static_assert(offsetof(SlotHeader, reserved4) == 320);

/// What decides the size of a slot. The curve does not: scalars have 32 bytes on both.
struct CircuitShape {
  std::uint32_t n_vars = 0;
  std::uint32_t n_public = 0;
  std::uint32_t domain_size = 0;
  bool has_c = false;  ///< C.w is written by the fill; otherwise kFlagDerivedC

  friend bool operator==(const CircuitShape&, const CircuitShape&) = default;
};

/// True when sizes may be computed from `shape`.
[[nodiscard]] constexpr bool is_valid(const CircuitShape& shape) noexcept {
  return shape.domain_size >= 2 && shape.domain_size <= kMaxDomainSize &&
         std::has_single_bit(shape.domain_size) && shape.n_vars >= 1 && shape.n_vars <= kMaxVars &&
         shape.n_public < shape.n_vars;
}

/// Offsets and exact sizes of the four sections, and the bytes of the whole slot.
struct SlotLayout {
  struct Range {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;  ///< 0: the section is absent
  };
  std::array<Range, kSectionCount> sections{};
  std::uint64_t total_bytes = 0;  ///< header page included, rounded up to pages

  [[nodiscard]] constexpr const Range& at(SlotSection section) const noexcept {
    return sections[static_cast<std::size_t>(section)];
  }
};

namespace detail {
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) noexcept {
  return (value + multiple - 1) / multiple * multiple;
}

constexpr SlotLayout lay_out(const CircuitShape& shape, std::uint64_t alignment) noexcept {
  const std::uint64_t rows = shape.domain_size * kSlotScalarBytes;
  const std::array<std::uint64_t, kSectionCount> bytes = {shape.n_vars * kSlotScalarBytes, rows, rows,
                                                          shape.has_c ? rows : 0};
  SlotLayout layout;
  std::uint64_t end = kPageBytes;
  for (std::size_t i = 0; i < kSectionCount; ++i) {
    if (bytes[i] != 0) {
      layout.sections[i] = {round_up(end, alignment), bytes[i]};
      end = layout.sections[i].offset + bytes[i];
    }
  }
  layout.total_bytes = round_up(end, kPageBytes);
  return layout;
}
}  // namespace detail

/// The one layout of a shape: sections on pages, or on 2 MiB where the slot is larger than that.
/// `shape` must be valid.
[[nodiscard]] constexpr SlotLayout compute_slot_layout(const CircuitShape& shape) noexcept {
  const SlotLayout small = detail::lay_out(shape, kPageBytes);
  return small.total_bytes <= kLargePageBytes ? small : detail::lay_out(shape, kLargePageBytes);
}

/// The capacity of the size class that `bytes` falls into: at most 1/16 larger, whole pages. Slots of one
/// class serve all its circuits.
[[nodiscard]] constexpr std::uint64_t size_class(std::uint64_t bytes) noexcept {
  const std::uint64_t step = std::bit_floor(bytes) / 16;
  return detail::round_up(bytes, step < kPageBytes ? kPageBytes : step);
}

}  // namespace baton
