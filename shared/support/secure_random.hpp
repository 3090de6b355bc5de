#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shared/support/result.hpp"

namespace baton {

/// Fills `bytes` from the kernel's generator (getrandom); blocks only before the system has any entropy.
Status fill_random(std::span<std::byte> bytes);

/// 64 random bits, never zero.
Result<std::uint64_t> random_u64();

}  // namespace baton
