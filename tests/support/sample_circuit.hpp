#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "shared/math/big_int.hpp"
#include "shared/math/curve_id.hpp"
#include "tests/support/byte_writer.hpp"

namespace baton::test {

/// A sum of coefficient (canonical, below r) times wire.
using SampleCombination = std::vector<std::pair<std::uint32_t, BigInt<4>>>;

struct SampleConstraint {
  SampleCombination a;
  SampleCombination b;
  SampleCombination c;
};

/// A small circuit with a witness that satisfies it, from which the files of circom and snarkjs are made. The
/// points of its key are on the curve and mean nothing: for readers, not for provers.
struct SampleCircuit {
  CurveId curve{};
  std::uint32_t n_public_outputs = 0;
  std::uint32_t n_public_inputs = 0;
  std::vector<SampleConstraint> constraints;
  std::vector<BigInt<4>> witness;  ///< canonical; its length is the number of wires

  [[nodiscard]] std::uint32_t n_wires() const { return static_cast<std::uint32_t>(witness.size()); }
  [[nodiscard]] std::uint32_t n_public() const { return n_public_outputs + n_public_inputs; }
  [[nodiscard]] std::uint32_t domain_size() const;
};

/// Wires 1, y, x, then those between: `length` constraints w' = (2 w + x - 3) * -w, where the first w is x
/// and the last w' is y. y is a public output, x a public input; coefficients 1, -1, 2, 3 and -3 occur.
[[nodiscard]] SampleCircuit chain_circuit(CurveId curve, std::uint32_t length);

/// `length` constraints of `terms` random terms in A and in B, each giving one new wire; every other wire of
/// the first ones is a bit, wires repeat within a row, and coefficients are random, one or minus one. One
/// public input. The same seed gives the same circuit.
[[nodiscard]] SampleCircuit random_circuit(CurveId curve, std::uint32_t length, std::uint32_t terms,
                                           std::uint32_t seed);

/// circom writes sections 2, 1, 3.
[[nodiscard]] SampleContainer sample_r1cs(const SampleCircuit& circuit);
[[nodiscard]] SampleContainer sample_witness(const SampleCircuit& circuit);

/// As after one contribution; sections in rising order.
[[nodiscard]] SampleContainer sample_key(const SampleCircuit& circuit);

/// Offsets inside section 2 of a key.
[[nodiscard]] std::size_t n_vars_offset(CurveId curve);

}  // namespace baton::test
