#include "shared/formats/prime_field.hpp"

#include <gtest/gtest.h>

#include "tests/support/byte_writer.hpp"
#include "tests/support/expect_status.hpp"

namespace baton {
namespace {

using test::Bytes;
using test::ByteWriter;
using test::refused_saying;

Result<CurveId> take(const Bytes& bytes) {
  ByteReader reader(bytes);
  return take_scalar_field(reader);
}

template <std::size_t N>
Bytes field(const BigInt<N>& prime) {
  return ByteWriter().put(static_cast<std::uint32_t>(N * 8)).put(prime).bytes();
}

TEST(PrimeField, tells_the_curve_of_a_prime) {
  EXPECT_EQ(take(field(Bn254FrParams::modulus())).value(), CurveId::kBn254);
  EXPECT_EQ(take(field(Bls12_381FrParams::modulus())).value(), CurveId::kBls12_381);
  const Bytes base = field(Bls12_381FqParams::modulus());
  ByteReader reader(base);
  EXPECT_EQ(take_base_field(reader).value(), CurveId::kBls12_381);
  EXPECT_EQ(reader.left(), 0U);
}

TEST(PrimeField, names_the_other_primes_of_circom) {
  EXPECT_TRUE(refused_saying(take(field(BigInt<1>{{0xffffffff00000001}})),
                             "the prime is that of goldilocks, expected that of bn128 or bls12381"));
  EXPECT_TRUE(refused_saying(take(field(Bn254FqParams::modulus())), "the prime is that of grumpkin"));
  EXPECT_TRUE(
      refused_saying(take(field(BigInt<4>{{0x992d30ed00000001, 0x224698fc094cf91b, 0, 0x4000000000000000}})),
                     "the prime is that of pallas"));
  EXPECT_TRUE(
      refused_saying(take(field(BigInt<4>{{0x8c46eb2100000001, 0x224698fc0994a8dd, 0, 0x4000000000000000}})),
                     "the prime is that of vesta"));
  EXPECT_TRUE(
      refused_saying(take(field(BigInt<4>{{0xffffffffffffffff, 0x00000000ffffffff, 0, 0xffffffff00000001}})),
                     "the prime is that of secq256r1"));
  EXPECT_TRUE(refused_saying(take(field(BigInt<4>{{0x0a11800000000001, 0x59aa76fed0000001, 0x60b44d1e5c37b001,
                                                   0x12ab655e9a2ca556}})),
                             "the prime is that of bls12377"));
}

TEST(PrimeField, shows_an_unknown_prime) {
  EXPECT_TRUE(refused_saying(take(field(BigInt<1>{{65537}})), "prime r: unknown prime 0x10001 (n8 8)"));
  EXPECT_TRUE(refused_saying(take(field(BigInt<1>{{0}})), "unknown prime 0x0 (n8 8)"));
}

TEST(PrimeField, refuses_a_width_that_does_not_fit) {
  for (const std::uint32_t n8 : {0U, 48U, 97U, 0x7fffffffU, 0xffffffffU}) {
    Bytes bytes = field(Bn254FrParams::modulus());
    test::poke(bytes, 0, n8);
    EXPECT_TRUE(refused_saying(take(bytes), "prime r: n8 is " + std::to_string(n8)));
  }
  const Bytes padded =
      ByteWriter().put(std::uint32_t{40}).put(Bn254FrParams::modulus()).put(std::uint64_t{0}).bytes();
  EXPECT_TRUE(refused_saying(take(padded), "prime r: n8 is 40, expected 32 for bn128"));
  EXPECT_TRUE(refused_saying(take({}), "prime r: n8 is 0"));
}

}  // namespace
}  // namespace baton
