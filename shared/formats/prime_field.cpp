#include "shared/formats/prime_field.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>

#include "shared/support/concat.hpp"

namespace baton {

namespace {

struct NamedPrime {
  std::string_view name;
  std::string_view hex;
};

/// The other primes that circom compiles for.
constexpr std::array kForeignPrimes = {
    NamedPrime{"goldilocks", "ffffffff00000001"},
    NamedPrime{"grumpkin", "30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47"},
    NamedPrime{"pallas", "40000000000000000000000000000000224698fc094cf91b992d30ed00000001"},
    NamedPrime{"vesta", "40000000000000000000000000000000224698fc0994a8dd8c46eb2100000001"},
    NamedPrime{"secq256r1", "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"},
    NamedPrime{"bls12377", "12ab655e9a2ca55660b44d1e5c37b00159aa76fed00000010a11800000000001"},
};

constexpr std::uint32_t kLargestPrimeBytes = 96;

/// Hexadecimal digits of a little-endian integer, without leading zeros.
std::string hex_of(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) {
    const auto value = std::to_integer<unsigned>(*byte);
    text.push_back(kDigits[value >> 4U]);
    text.push_back(kDigits[value & 15U]);
  }
  const auto first = text.find_first_not_of('0');
  return first == std::string::npos ? "0" : text.substr(first);
}

/// Whether `bytes`, of any width, hold the integer `value`.
template <std::size_t N>
bool holds(std::span<const std::byte> bytes, const BigInt<N>& value) {
  const auto expected = std::as_bytes(std::span(value.limbs));
  const std::size_t common = std::min(bytes.size(), expected.size());
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  return std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(common), expected.begin()) &&
         std::ranges::all_of(bytes.subspan(common), is_zero) &&
         std::ranges::all_of(expected.subspan(common), is_zero);
}

std::string describe_prime(std::span<const std::byte> prime) {
  const std::string hex = hex_of(prime);
  for (const NamedPrime& known : kForeignPrimes) {
    if (known.hex == hex) {
      return concat("the prime is that of ", known.name);
    }
  }
  return concat("unknown prime 0x", hex, " (n8 ", prime.size(), ")");
}

enum class Field : std::uint8_t { kScalar, kBase };

std::optional<CurveId> identify(std::span<const std::byte> prime, Field field) {
  if (field == Field::kScalar) {
    if (holds(prime, Bn254FrParams::modulus())) {
      return CurveId::kBn254;
    }
    return holds(prime, Bls12_381FrParams::modulus()) ? std::optional(CurveId::kBls12_381) : std::nullopt;
  }
  if (holds(prime, Bn254FqParams::modulus())) {
    return CurveId::kBn254;
  }
  return holds(prime, Bls12_381FqParams::modulus()) ? std::optional(CurveId::kBls12_381) : std::nullopt;
}

Result<CurveId> take_field(ByteReader& reader, Field field) {
  const std::string_view letter = field == Field::kScalar ? "r" : "q";
  const auto n8 = reader.take<std::uint32_t>();
  const std::size_t left = reader.left();
  if (reader.failed() || n8 == 0 || n8 > kLargestPrimeBytes || n8 > left) {
    return invalid_input(
        concat("prime ", letter, ": n8 is ", n8, ", which fits no curve and the ", left, " bytes left"));
  }
  const auto prime = reader.take_bytes(n8);
  const auto curve = identify(prime, field);
  if (!curve) {
    return invalid_input(
        concat("prime ", letter, ": ", describe_prime(prime), ", expected that of bn128 or bls12381"));
  }
  const std::size_t expected = field == Field::kScalar ? kScalarBytes : coordinate_bytes(*curve);
  if (n8 != expected) {
    return invalid_input(
        concat("prime ", letter, ": n8 is ", n8, ", expected ", expected, " for ", curve_name(*curve)));
  }
  return *curve;
}

}  // namespace

std::string_view curve_name(CurveId curve) noexcept {
  return curve == CurveId::kBn254 ? "bn128" : "bls12381";
}

Result<CurveId> take_scalar_field(ByteReader& reader) {
  return take_field(reader, Field::kScalar);
}

Result<CurveId> take_base_field(ByteReader& reader) {
  return take_field(reader, Field::kBase);
}

}  // namespace baton
