#pragma once

#include <array>
#include <string>
#include <string_view>

#include "shared/formats/any_verification_key.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// e(alpha1, beta2) by its coordinates in the base field: index 6 i + 2 j + k is the coefficient of
/// w^i v^j u^k.
template <class Curve>
using AlphaBeta = std::array<typename Curve::Fq, 12>;

/// Reads a Groth16 verification key of either curve. Points are checked as those of a proof are. The product
/// vk_alphabeta_12 is not read.
[[nodiscard]] Result<AnyVerificationKey> parse_verification_key_json(std::string_view text);

/// The same from a file; messages begin with `path`.
[[nodiscard]] Result<AnyVerificationKey> read_verification_key_json(const std::string& path);

/// The text of verification_key.json, byte for byte as snarkjs exports it.
template <class Curve>
[[nodiscard]] std::string write_verification_key_json(const VerificationKey<Curve>& key,
                                                      const AlphaBeta<Curve>& alpha_beta);

extern template std::string write_verification_key_json<Bn254>(const VerificationKey<Bn254>&,
                                                               const AlphaBeta<Bn254>&);
extern template std::string write_verification_key_json<Bls12_381>(const VerificationKey<Bls12_381>&,
                                                                   const AlphaBeta<Bls12_381>&);

}  // namespace baton
