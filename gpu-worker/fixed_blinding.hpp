#pragma once

#include <string_view>

#include "shared/groth16/proof_assembly.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// "r,s", two decimal numbers below 2^256. For tests that compare proofs byte by byte: a proof made with
/// known r and s is not zero-knowledge.
Result<Blinding> parse_fixed_blinding(std::string_view text);

}  // namespace baton
