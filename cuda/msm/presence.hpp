#pragma once

#include <cstdint>

namespace baton {

/// Which scalars have a point, in device memory: bit i % 32 of words[i / 32], and for each word the number of
/// points before it. Null words: every scalar has one, and its number is its index.
struct PresenceMap {
  const std::uint32_t* words = nullptr;
  const std::uint32_t* before = nullptr;
};

}  // namespace baton
