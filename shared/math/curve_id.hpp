#pragma once

#include <cstdint>

namespace baton {

/// Values are part of the wire contract and of file caches: never renumber.
enum class CurveId : std::uint8_t { kBn254 = 1, kBls12_381 = 2 };

}  // namespace baton
