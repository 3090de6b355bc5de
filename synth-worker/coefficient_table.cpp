#include "synth-worker/coefficient_table.hpp"

#include <array>

#include "shared/math/bls12_381_params.hpp"
#include "shared/math/bn254_params.hpp"
#include "shared/math/fp.hpp"

namespace baton {

namespace {

constexpr std::size_t kFirstSlots = 64;

/// The limbs of value * R^2 for one and minus one.
template <class Fr>
std::array<BigInt<4>, 2> units() {
  const Fr one = Fr::from_canonical_unchecked(Fr::one().limbs());
  return {one.limbs(), (-one).limbs()};
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  const Uint128 product = Uint128{a} * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

}  // namespace

CoefficientTable::CoefficientTable(CurveId curve, std::uint64_t seed) : seed_(seed), slots_(kFirstSlots) {
  const auto first = curve == CurveId::kBn254 ? units<Fp<Bn254FrParams>>() : units<Fp<Bls12_381FrParams>>();
  for (const BigInt<4>& value : first) {
    static_cast<void>(number_of(value));
  }
}

std::uint32_t CoefficientTable::number_of(const BigInt<4>& value) {
  for (std::uint32_t number = 0; number < 2 && number < values_.size(); ++number) {
    if (values_[number] == value) {
      return number;
    }
  }
  std::size_t slot = slot_of(value);
  if (slots_[slot] != 0) {
    return slots_[slot] - 1;
  }
  values_.push_back(value);
  const auto number = static_cast<std::uint32_t>(values_.size() - 1);
  slots_[slot] = number + 1;
  if (values_.size() > slots_.size() / 2) {
    grow();
  }
  return number;
}

std::size_t CoefficientTable::slot_of(const BigInt<4>& value) const noexcept {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;
  const std::uint64_t low = mix(value.limbs[0] ^ seed_, value.limbs[1] ^ kOdd);
  const std::uint64_t high = mix(value.limbs[2] ^ ~seed_, value.limbs[3] ^ kOdd);
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = mix(low ^ kOdd, high ^ seed_) & mask;
  while (slots_[slot] != 0 && !(values_[slots_[slot] - 1] == value)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

void CoefficientTable::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::size_t number = 0; number < values_.size(); ++number) {
    slots_[slot_of(values_[number])] = static_cast<std::uint32_t>(number + 1);
  }
}

}  // namespace baton
