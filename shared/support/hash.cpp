#include "shared/support/hash.hpp"

#include <new>

#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

namespace baton {

struct Hasher::State {
  // 64-bit and 128-bit digests consume their input alike: one reset with the 128-bit call serves both.
  XXH3_state_t xxh;
};

std::uint64_t hash64(std::span<const std::byte> bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

Digest128 hash128(std::span<const std::byte> bytes) noexcept {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

Hasher::Hasher() : state_(std::make_unique<State>()) {
  XXH3_INITSTATE(&state_->xxh);
  XXH3_128bits_reset(&state_->xxh);
}
Hasher::~Hasher() = default;
Hasher::Hasher(Hasher&&) noexcept = default;
Hasher& Hasher::operator=(Hasher&&) noexcept = default;

void Hasher::update(std::span<const std::byte> bytes) noexcept {
  XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size());
}

std::uint64_t Hasher::digest64() const noexcept {
  return XXH3_64bits_digest(&state_->xxh);
}

Digest128 Hasher::digest128() const noexcept {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh);
  return {hash.low64, hash.high64};
}

}  // namespace baton
