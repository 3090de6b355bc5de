#include <gtest/gtest.h>

#include <cstring>

#include "cuda/field/lazy_fp.cuh"
#include "cuda/field/lazy_fp2.cuh"
#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "tests/unit/cuda/field_samples.hpp"

namespace baton {
namespace {

template <class Params>
using Int = BigInt<Params::kLimbs>;

template <class Params>
Fp<Params> value_of(Int<Params> x) {
  while (!(x < Params::modulus())) {
    sub_with_borrow(x, x, Params::modulus());
  }
  return Fp<Params>::from_montgomery_limbs(x);
}

template <class Params>
device::LazyFp<Params> lazy(const Int<Params>& x) {
  device::LazyFp<Params> r;
  std::memcpy(r.v, x.limbs, sizeof r.v);
  return r;
}

template <class Params>
Int<Params> raw(const device::LazyFp<Params>& x) {
  Int<Params> r;
  std::memcpy(r.limbs, x.v, sizeof r.limbs);
  return r;
}

/// Below 2p, and the right residue.
template <class Params>
void expect_value(const device::LazyFp<Params>& x, const Fp<Params>& expected) {
  Int<Params> twice = Params::modulus();
  add_with_carry(twice, twice, Params::modulus());
  ASSERT_TRUE(raw(x) < twice);
  ASSERT_EQ(value_of<Params>(raw(x)), expected);
  ASSERT_EQ(Fp<Params>::from_montgomery_limbs(raw(x.canonical())), expected);
}

template <class Params>
class LazyFieldTest : public testing::Test {};
using BaseFields = testing::Types<Bn254FqParams, Bls12_381FqParams>;
TYPED_TEST_SUITE(LazyFieldTest, BaseFields);

TYPED_TEST(LazyFieldTest, OperationsOnAllOfTheIntervalStayInIt) {
  using P = TypeParam;
  using L = device::LazyFp<P>;
  const auto samples = test::field_samples<P>(2, 3000, 1);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto& ra = samples[i];
    const auto& rb = samples[(i * 7 + 3) % samples.size()];
    const auto& rc = samples[(i * 5 + 1) % samples.size()];
    const Fp<P> a = value_of<P>(ra);
    const Fp<P> b = value_of<P>(rb);
    const Fp<P> c = value_of<P>(rc);
    const L la = lazy<P>(ra);
    const L lb = lazy<P>(rb);
    const L lc = lazy<P>(rc);
    expect_value<P>(la * lb, a * b);
    expect_value<P>(la.square(), a.square());
    expect_value<P>(la + lb, a + b);
    expect_value<P>(la - lb, a - b);
    expect_value<P>(la.negated(), -a);
    expect_value<P>(L::mul_sub(la, lb, lc, la), a * b - c * a);
    expect_value<P>(L::dot(la, la, lb, lb), a * a + b * b);
    ASSERT_EQ(la.is_zero(), a.is_zero());
  }
}

TYPED_TEST(LazyFieldTest, ExtremesOfEveryPairAreRight) {
  using P = TypeParam;
  const auto samples = test::field_samples<P>(2, 40, 2);
  for (const auto& ra : samples) {
    for (const auto& rb : samples) {
      const Fp<P> a = value_of<P>(ra);
      const Fp<P> b = value_of<P>(rb);
      expect_value<P>(lazy<P>(ra) * lazy<P>(rb), a * b);
      expect_value<P>(device::LazyFp<P>::mul_sub(lazy<P>(ra), lazy<P>(rb), lazy<P>(rb), lazy<P>(rb)),
                      a * b - b * b);
    }
  }
}

TYPED_TEST(LazyFieldTest, InverseOfZeroIsZeroAndOthersAreInverses) {
  using P = TypeParam;
  using L = device::LazyFp<P>;
  EXPECT_TRUE(L::zero().inverse().is_zero());
  EXPECT_EQ(Fp<P>::from_montgomery_limbs(raw(L::one())), Fp<P>::one());
  for (const auto& sample : test::field_samples<P>(2, 20, 3)) {
    expect_value<P>(lazy<P>(sample).inverse(), value_of<P>(sample).inverse());
  }
}

TYPED_TEST(LazyFieldTest, QuadraticExtensionAgreesWithTheReference) {
  using P = TypeParam;
  using L2 = device::LazyFp2<P>;
  using F2 = Fp2<Fp<P>>;
  const auto samples = test::field_samples<P>(2, 800, 4);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto& r0 = samples[i];
    const auto& r1 = samples[(i * 3 + 1) % samples.size()];
    const auto& r2 = samples[(i * 5 + 2) % samples.size()];
    const auto& r3 = samples[(i * 11 + 4) % samples.size()];
    const L2 la{lazy<P>(r0), lazy<P>(r1)};
    const L2 lb{lazy<P>(r2), lazy<P>(r3)};
    const F2 a{value_of<P>(r0), value_of<P>(r1)};
    const F2 b{value_of<P>(r2), value_of<P>(r3)};
    const auto expect = [](const L2& x, const F2& y) {
      expect_value<P>(x.c0, y.c0);
      expect_value<P>(x.c1, y.c1);
    };
    expect(la * lb, a * b);
    expect(la.square(), a.square());
    expect(L2::mul_sub(la, lb, lb, lb), a * b - b * b);
    if (i % 40 == 0) {
      expect(la.inverse(), a.inverse());
    }
  }
}

template <class Params>
class HookTest : public testing::Test {};
using AllFields = testing::Types<Bn254FqParams, Bn254FrParams, Bls12_381FqParams, Bls12_381FrParams>;
TYPED_TEST_SUITE(HookTest, AllFields);

TYPED_TEST(HookTest, CanonicalOperationsAgreeWithTheReference) {
  using P = TypeParam;
  const auto samples = test::field_samples<P>(1, 3000, 5);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::uint32_t a[device::kWords<P>];
    std::uint32_t b[device::kWords<P>];
    std::memcpy(a, samples[i].limbs, sizeof a);
    std::memcpy(b, samples[(i * 7 + 3) % samples.size()].limbs, sizeof b);
    const Fp<P> fa = value_of<P>(samples[i]);
    const Fp<P> fb = value_of<P>(samples[(i * 7 + 3) % samples.size()]);
    Int<P> out;
    std::uint32_t words[device::kWords<P>];
    const auto expect = [&](const Fp<P>& expected) {
      std::memcpy(out.limbs, words, sizeof words);
      ASSERT_EQ(out, expected.limbs());
    };
    device::fp_mul<P>(words, a, b);
    expect(fa * fb);
    device::fp_sqr<P>(words, a);
    expect(fa.square());
    device::fp_add<P>(words, a, b);
    expect(fa + fb);
    device::fp_sub<P>(words, a, b);
    expect(fa - fb);
  }
}

}  // namespace
}  // namespace baton
