#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "shared/math/big_int.hpp"

namespace baton {

/// A number below `bound`, from limbs that are often all zeros or all ones. Repeats with the seed.
template <std::size_t N>
BigInt<N> random_below(const BigInt<N>& bound, std::mt19937_64& random) {
  BigInt<N> value;
  do {
    for (std::uint64_t& limb : value.limbs) {
      const std::uint64_t kind = random() % 8;
      limb = kind == 0 ? 0 : kind == 1 ? ~std::uint64_t{0} : random();
    }
    value = shifted_right(value, N * 64 - bound.bit_length() < 64 ? N * 64 - bound.bit_length() : 63);
  } while (!(value < bound));
  return value;
}

template <class Field>
Field random_element(std::mt19937_64& random) {
  return Field::from_montgomery_limbs(random_below(Field::modulus(), random));
}

/// Montgomery limbs at which carries go wrong first.
template <class Field>
std::vector<Field> edge_elements() {
  using Int = typename Field::Int;
  std::vector<Field> edges{Field::zero(), Field::one(), -Field::one()};
  for (std::uint64_t low : {1U, 2U, 3U}) {
    edges.push_back(Field::from_montgomery_limbs(Int::from_u64(low)));
    edges.push_back(-Field::from_montgomery_limbs(Int::from_u64(low)));
  }
  for (std::size_t ones = 0; ones < Field::kLimbs; ++ones) {
    Int value;
    for (std::size_t i = 0; i + 1 < Field::kLimbs; ++i) {
      value.limbs[i] = i == ones ? 0 : ~std::uint64_t{0};
    }
    edges.push_back(Field::from_montgomery_limbs(value));
    value.limbs[Field::kLimbs - 1] = Field::modulus().limbs[Field::kLimbs - 1] - 1;
    edges.push_back(Field::from_montgomery_limbs(value));
    edges.push_back(Field::from_montgomery_limbs(shifted_right(Field::modulus(), 1)));
  }
  return edges;
}

}  // namespace baton
