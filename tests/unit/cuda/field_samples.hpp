#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "cuda/field/montgomery.cuh"
#include "shared/math/big_int.hpp"

namespace baton::test {

/// Numbers below k * p that try every carry: 0, 1, p, p - 1, k p - 1, words of zeros and ones, random ones.
template <class Params>
std::vector<BigInt<Params::kLimbs>> field_samples(unsigned k, std::size_t count, std::uint64_t seed) {
  using Int = BigInt<Params::kLimbs>;
  constexpr Int modulus = Params::modulus();
  Int limit = modulus;
  for (unsigned i = 1; i < k; ++i) {
    add_with_carry(limit, limit, modulus);
  }
  std::vector<Int> samples = {Int{}, Int::from_u64(1), Int::from_u64(0xffffffffU)};
  Int below;
  sub_with_borrow(below, modulus, Int::from_u64(1));
  samples.push_back(below);
  sub_with_borrow(below, limit, Int::from_u64(1));
  samples.push_back(below);
  if (k > 1) {
    samples.push_back(modulus);
  }
  std::mt19937_64 random(seed);
  while (samples.size() < count) {
    Int sample;
    const bool special = random() % 3 == 0;
    for (std::uint64_t& limb : sample.limbs) {
      limb = random();
      if (special) {
        limb = (random() % 2 != 0 ? limb : (random() % 2 != 0 ? ~std::uint64_t{0} : 0));
        limb = random() % 2 != 0 ? limb & 0xffffffff00000000U : limb | 0xffffffffU;
      }
    }
    while (!(sample < limit)) {
      sample.limbs[Params::kLimbs - 1] >>= 1;
    }
    samples.push_back(sample);
  }
  return samples;
}

}  // namespace baton::test
