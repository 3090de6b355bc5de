#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shared/math/big_int.hpp"
#include "shared/math/curve_id.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// Public signals as canonical integers, in the order of the witness: outputs, then inputs.
using PublicSignals = std::vector<BigInt<4>>;

/// Reads a list of decimal strings, each below the r of `curve`. Also takes integers that JSON holds exactly.
[[nodiscard]] Result<PublicSignals> parse_public_json(std::string_view text, CurveId curve);

/// The same from a file; messages begin with `path`.
[[nodiscard]] Result<PublicSignals> read_public_json(const std::string& path, CurveId curve);

/// The text of public.json, byte for byte as snarkjs writes it.
[[nodiscard]] std::string write_public_json(std::span<const BigInt<4>> signals);

}  // namespace baton
