#pragma once

#include <string>
#include <string_view>

#include "shared/formats/any_verification_key.hpp"
#include "shared/formats/public_json.hpp"
#include "shared/math/curve_id.hpp"
#include "shared/support/result.hpp"

/// A proof and its public signals as they travel in messages and rest in the journal: canonical little-endian
/// integers, without any framing.
namespace baton {

/// A.x A.y B.x.c0 B.x.c1 B.y.c0 B.y.c1 C.x C.y: 256 bytes for BN254, 384 for BLS12-381; infinity is all zero.
[[nodiscard]] std::string to_proof_bytes(const AnyProof& proof);

/// Coordinates must be below q and points on the curve; the subgroup is not looked at.
[[nodiscard]] Result<AnyProof> parse_proof_bytes(CurveId curve, std::string_view bytes);

/// 32 bytes a signal, each below r of the curve.
[[nodiscard]] Result<PublicSignals> parse_public_bytes(CurveId curve, std::string_view bytes);

}  // namespace baton
