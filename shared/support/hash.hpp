#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace baton {

/// XXH3-128. Tells inputs apart; no protection against somebody who builds collisions.
struct Digest128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend bool operator==(const Digest128&, const Digest128&) = default;
};

/// XXH3-64 of `bytes`.
[[nodiscard]] std::uint64_t hash64(std::span<const std::byte> bytes) noexcept;
/// XXH3-128 of `bytes`.
[[nodiscard]] Digest128 hash128(std::span<const std::byte> bytes) noexcept;

/// XXH3 of bytes that come in pieces; both widths from one state. Not copyable.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(Hasher&&) noexcept;
  Hasher& operator=(Hasher&&) noexcept;

  void update(std::span<const std::byte> bytes) noexcept;
  [[nodiscard]] std::uint64_t digest64() const noexcept;
  [[nodiscard]] Digest128 digest128() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace baton
