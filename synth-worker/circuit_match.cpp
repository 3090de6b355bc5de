#include "synth-worker/circuit_match.hpp"

#include "shared/formats/prime_field.hpp"
#include "shared/math/fp.hpp"
#include "shared/support/concat.hpp"

namespace baton {

namespace {

/// Entry `wire` of the pseudo-random vector. Distinct bits for each (seed, wire); reduced because its top
/// bits are cleared.
template <class Fr>
Fr random_entry(std::uint64_t seed, std::uint32_t wire) {
  constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15U;
  constexpr unsigned kClearedBits = 4;
  BigInt<4> value;
  std::uint64_t state = seed + kStep * 4 * wire;
  for (std::uint64_t& limb : value.limbs) {
    state += kStep;
    std::uint64_t mixed = state;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    limb = mixed ^ (mixed >> 31U);
  }
  value.limbs[3] >>= kClearedBits;
  return Fr::from_montgomery_limbs(value);
}

/// The row of the key times the vector.
template <class Fr>
Fr key_row(const ConstraintMatrix& matrix, MatrixId id, std::size_t row, std::uint64_t seed) {
  const MatrixRows& rows = matrix.matrix(id);
  Fr sum = Fr::zero();
  for (std::size_t i = rows.row_starts[row]; i < rows.row_starts[row + 1]; ++i) {
    const MatrixTerm term = rows.terms[i];
    const Fr value = Fr::load(matrix.coefficients().data() + term.coefficient * kScalarBytes);
    sum += value * random_entry<Fr>(seed, term.column);
  }
  return sum;
}

/// The same of the circuit. Its coefficients lack the factor R^2 of the key's, so the sum is given it.
template <class Fr>
Fr circuit_row(const LinearCombination& combination, std::uint64_t seed) {
  Fr sum = Fr::zero();
  for (std::size_t i = 0; i < combination.size(); ++i) {
    const R1csTerm term = combination[i];
    sum += Fr::load(term.coefficient.data()) * random_entry<Fr>(seed, term.wire);
  }
  return Fr::from_canonical_unchecked(Fr::from_canonical_unchecked(sum.limbs()).limbs());
}

template <class Fr>
Status compare_rows(const R1csFile& r1cs, const ConstraintMatrix& matrix, std::uint64_t seed) {
  R1csFile::Cursor cursor(r1cs);
  Constraint constraint;
  while (true) {
    const std::uint32_t row = cursor.index();
    BATON_ASSIGN_OR_RETURN(const bool more, cursor.next(constraint));
    if (!more) {
      return {};
    }
    if (!(circuit_row<Fr>(constraint.a, seed) == key_row<Fr>(matrix, MatrixId::kA, row, seed)) ||
        !(circuit_row<Fr>(constraint.b, seed) == key_row<Fr>(matrix, MatrixId::kB, row, seed))) {
      return invalid_input(concat(r1cs.name(), ": constraint ", row, " is not that of the key"));
    }
  }
}

Status check_count(const R1csFile& r1cs, std::string_view what, std::uint64_t found, std::uint64_t expected) {
  if (found == expected) {
    return {};
  }
  return invalid_input(concat(r1cs.name(), ": ", found, " ", what, ", the key is for ", expected));
}

}  // namespace

Status check_same_counts(const R1csFile& r1cs, const ProvingKeyFile& key, std::size_t rows) {
  const R1csHeader& circuit = r1cs.header();
  const ProvingKeyHeader& header = key.header();
  if (circuit.curve != header.curve) {
    return invalid_input(concat(r1cs.name(), ": a circuit over ", curve_name(circuit.curve),
                                ", the key is for ", curve_name(header.curve)));
  }
  BATON_RETURN_IF_ERROR(check_count(r1cs, "wires", circuit.n_wires, header.n_vars));
  BATON_RETURN_IF_ERROR(check_count(r1cs, "public signals", circuit.n_public(), header.n_public));
  return check_count(r1cs, "constraints", circuit.n_constraints, rows - header.n_public - 1);
}

Status check_same_circuit(const R1csFile& r1cs, const ConstraintMatrix& matrix, std::uint64_t seed) {
  return matrix.curve() == CurveId::kBn254 ? compare_rows<Fp<Bn254FrParams>>(r1cs, matrix, seed)
                                           : compare_rows<Fp<Bls12_381FrParams>>(r1cs, matrix, seed);
}

}  // namespace baton
