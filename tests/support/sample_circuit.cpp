#include "tests/support/sample_circuit.hpp"

#include <algorithm>
#include <bit>
#include <random>

#include "shared/formats/curve_dispatch.hpp"
#include "shared/formats/prime_field.hpp"
#include "shared/math/fp.hpp"

namespace baton::test {

namespace {

template <class Fr>
SampleCircuit make_chain(CurveId curve, std::uint32_t length) {
  const auto canonical = [](const Fr& value) { return value.to_canonical(); };
  const Fr one = Fr::one();
  const Fr two = one + one;
  const Fr minus_three = -(two + one);
  SampleCircuit circuit;
  circuit.curve = curve;
  circuit.n_public_outputs = 1;
  circuit.n_public_inputs = 1;
  std::vector<Fr> wires = {one, Fr::zero(), Fr::from_u64(5)};
  std::uint32_t last = 2;
  for (std::uint32_t i = 0; i < length; ++i) {
    const Fr left = wires[last] * two + wires[2] + minus_three;
    const std::uint32_t next = i + 1 == length ? 1 : static_cast<std::uint32_t>(wires.size());
    const Fr product = left * -wires[last];
    if (next == 1) {
      wires[1] = product;
    } else {
      wires.push_back(product);
    }
    SampleConstraint constraint;
    constraint.a = {{last, canonical(two)}, {2, canonical(one)}, {0, canonical(minus_three)}};
    if (last == 2) {
      constraint.a = {{2, canonical(two + one)}, {0, canonical(minus_three)}};
    }
    constraint.b = {{last, canonical(-one)}};
    constraint.c = {{next, canonical(one)}};
    circuit.constraints.push_back(constraint);
    last = next;
  }
  for (const Fr& wire : wires) {
    circuit.witness.push_back(canonical(wire));
  }
  return circuit;
}

template <class Fr>
Fr random_element(std::mt19937_64& random) {
  BigInt<4> value{{random(), random(), random(), random() >> 4U}};
  return *Fr::from_canonical(value);
}

template <class Fr>
SampleCombination random_combination(const std::vector<Fr>& wires, std::uint32_t terms,
                                     std::mt19937_64& random, Fr& value) {
  SampleCombination combination;
  value = Fr::zero();
  for (std::uint32_t i = 0; i < terms; ++i) {
    const auto wire = static_cast<std::uint32_t>(random() % wires.size());
    const std::uint64_t kind = random() % 4;
    const Fr coefficient = kind == 0 ? Fr::one() : kind == 1 ? -Fr::one() : random_element<Fr>(random);
    combination.emplace_back(wire, coefficient.to_canonical());
    value += coefficient * wires[wire];
  }
  return combination;
}

template <class Fr>
SampleCircuit make_random(CurveId curve, std::uint32_t length, std::uint32_t terms, std::uint32_t seed) {
  constexpr int kFirstWires = 8;
  std::mt19937_64 random(seed);
  SampleCircuit circuit;
  circuit.curve = curve;
  circuit.n_public_inputs = 1;
  std::vector<Fr> wires = {Fr::one()};
  for (int i = 0; i < kFirstWires; ++i) {
    wires.push_back(i % 2 == 0 ? random_element<Fr>(random) : Fr::from_u64(random() % 2));
  }
  for (std::uint32_t i = 0; i < length; ++i) {
    Fr a;
    Fr b;
    SampleConstraint constraint;
    constraint.a = random_combination(wires, terms, random, a);
    constraint.b = random_combination(wires, terms, random, b);
    constraint.c = {{static_cast<std::uint32_t>(wires.size()), BigInt<4>::from_u64(1)}};
    wires.push_back(a * b);
    circuit.constraints.push_back(std::move(constraint));
  }
  for (const Fr& wire : wires) {
    circuit.witness.push_back(wire.to_canonical());
  }
  return circuit;
}

template <class Fr>
BigInt<4> doubly_montgomery(const BigInt<4>& value) {
  return Fr::from_canonical_unchecked(Fr::from_canonical_unchecked(value).limbs()).limbs();
}

BigInt<4> doubly_montgomery(CurveId curve, const BigInt<4>& value) {
  return curve == CurveId::kBn254 ? doubly_montgomery<Fp<Bn254FrParams>>(value)
                                  : doubly_montgomery<Fp<Bls12_381FrParams>>(value);
}

void put_combination(ByteWriter& writer, const SampleCombination& combination) {
  writer.put(static_cast<std::uint32_t>(combination.size()));
  for (const auto& [wire, coefficient] : combination) {
    writer.put(wire).put(coefficient);
  }
}

Bytes coefficient_section(const SampleCircuit& circuit) {
  ByteWriter records;
  std::uint32_t count = 0;
  const auto put = [&](std::uint32_t matrix, std::uint32_t row, std::uint32_t wire, const BigInt<4>& value) {
    records.put(matrix).put(row).put(wire).put(doubly_montgomery(circuit.curve, value));
    ++count;
  };
  std::uint32_t row = 0;
  for (const SampleConstraint& constraint : circuit.constraints) {
    for (const auto& [wire, value] : constraint.a) {
      put(0, row, wire, value);
    }
    for (const auto& [wire, value] : constraint.b) {
      put(1, row, wire, value);
    }
    ++row;
  }
  for (std::uint32_t signal = 0; signal <= circuit.n_public(); ++signal) {
    put(0, row++, signal, BigInt<4>::from_u64(1));
  }
  return ByteWriter().put(count).put_bytes(records.bytes()).bytes();
}

template <class Point>
Bytes repeated(const Point& point, std::size_t count) {
  Bytes one(Point::kBytes);
  point.store(one.data());
  ByteWriter writer;
  for (std::size_t i = 0; i < count; ++i) {
    writer.put_bytes(one);
  }
  return writer.bytes();
}

template <class Curve>
std::vector<SampleSection> key_sections(const SampleCircuit& circuit) {
  const auto g1 = Curve::g1_generator();
  const auto g2 = Curve::g2_generator();
  const auto minus_g2 = -g2;
  const std::uint32_t wires = circuit.n_wires();
  ByteWriter header;
  header.put(static_cast<std::uint32_t>(Curve::Fq::kBytes)).put(Curve::Fq::modulus());
  header.put(static_cast<std::uint32_t>(Curve::Fr::kBytes)).put(Curve::Fr::modulus());
  header.put(wires).put(circuit.n_public()).put(circuit.domain_size());
  header.put_bytes(repeated(g1, 2)).put_bytes(repeated(g2, 2));
  header.put_bytes(repeated(-g1, 1)).put_bytes(repeated(minus_g2, 1));
  const Bytes contributions =
      ByteWriter().put_bytes(Bytes(64)).put(std::uint32_t{1}).put_bytes(Bytes(16)).bytes();
  return {{1, ByteWriter().put(std::uint32_t{1}).bytes()},
          {2, header.bytes()},
          {3, repeated(g1, circuit.n_public() + 1)},
          {4, coefficient_section(circuit)},
          {5, repeated(g1, wires)},
          {6, repeated(g1, wires)},
          {7, repeated(g2, wires)},
          {8, repeated(g1, wires - circuit.n_public() - 1)},
          {9, repeated(g1, circuit.domain_size())},
          {10, contributions}};
}

}  // namespace

std::uint32_t SampleCircuit::domain_size() const {
  const auto rows = static_cast<std::uint32_t>(constraints.size()) + n_public() + 1;
  return std::max(2U, std::bit_ceil(rows));
}

SampleCircuit chain_circuit(CurveId curve, std::uint32_t length) {
  return curve == CurveId::kBn254 ? make_chain<Fp<Bn254FrParams>>(curve, length)
                                  : make_chain<Fp<Bls12_381FrParams>>(curve, length);
}

SampleCircuit random_circuit(CurveId curve, std::uint32_t length, std::uint32_t terms, std::uint32_t seed) {
  return curve == CurveId::kBn254 ? make_random<Fp<Bn254FrParams>>(curve, length, terms, seed)
                                  : make_random<Fp<Bls12_381FrParams>>(curve, length, terms, seed);
}

SampleContainer sample_r1cs(const SampleCircuit& circuit) {
  ByteWriter header;
  header.put(static_cast<std::uint32_t>(kScalarBytes)).put(scalar_modulus(circuit.curve));
  header.put(circuit.n_wires()).put(circuit.n_public_outputs).put(circuit.n_public_inputs);
  header.put(std::uint32_t{0}).put(std::uint64_t{circuit.n_wires()});
  header.put(static_cast<std::uint32_t>(circuit.constraints.size()));
  ByteWriter body;
  for (const SampleConstraint& constraint : circuit.constraints) {
    put_combination(body, constraint.a);
    put_combination(body, constraint.b);
    put_combination(body, constraint.c);
  }
  ByteWriter labels;
  for (std::uint64_t wire = 0; wire < circuit.n_wires(); ++wire) {
    labels.put(wire);
  }
  return {"r1cs", 1, {{2, body.bytes()}, {1, header.bytes()}, {3, labels.bytes()}}};
}

SampleContainer sample_witness(const SampleCircuit& circuit) {
  ByteWriter header;
  header.put(static_cast<std::uint32_t>(kScalarBytes))
      .put(scalar_modulus(circuit.curve))
      .put(circuit.n_wires());
  ByteWriter values;
  for (const BigInt<4>& value : circuit.witness) {
    values.put(value);
  }
  return {"wtns", 2, {{1, header.bytes()}, {2, values.bytes()}}};
}

SampleContainer sample_key(const SampleCircuit& circuit) {
  return {"zkey", 1, with_curve(circuit.curve, [&]<class Curve>(std::type_identity<Curve>) {
            return key_sections<Curve>(circuit);
          })};
}

std::size_t n_vars_offset(CurveId curve) {
  return 4 + coordinate_bytes(curve) + 4 + kScalarBytes;
}

}  // namespace baton::test
