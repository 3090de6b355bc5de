#pragma once

#include <string>
#include <string_view>

#include "shared/formats/any_verification_key.hpp"
#include "shared/math/curve_id.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// Reads a Groth16 proof over `curve`: three points with z = 1 (or infinity), their coordinates below q and
/// on the curve; the subgroup is not looked at. A curve named in the text must be that one; rapidsnark names
/// none.
[[nodiscard]] Result<AnyProof> parse_proof_json(std::string_view text, CurveId curve);

/// The same from a file; messages begin with `path`.
[[nodiscard]] Result<AnyProof> read_proof_json(const std::string& path, CurveId curve);

/// The text of proof.json, byte for byte as snarkjs writes it.
[[nodiscard]] std::string write_proof_json(const AnyProof& proof);

}  // namespace baton
