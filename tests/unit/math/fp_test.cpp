#include "shared/math/fp.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <random>
#include <vector>

#include "shared/math/batch_inverse.hpp"
#include "shared/math/bls12_381_params.hpp"
#include "shared/math/bn254_params.hpp"
#include "shared/math/decimal.hpp"
#include "shared/math/fp_portable.hpp"
#include "shared/math/roots.hpp"
#include "tests/unit/math/random_elements.hpp"

namespace baton {
namespace {

/// a * b modulo p by doubling and adding canonical numbers: slow, and nothing like Montgomery's method.
template <class Int>
Int slow_product(const Int& a, const Int& b, const Int& p) {
  Int result;
  for (std::size_t i = Int::kBits; i > 0; --i) {
    for (const bool add : {false, true}) {
      if (add && !b.bit(i - 1)) {
        continue;
      }
      add_with_carry(result, result, add ? a : result);
      if (!(result < p)) {
        sub_with_borrow(result, result, p);
      }
    }
  }
  return result;
}

template <class F>
class FieldTest : public ::testing::Test {
 protected:
  std::vector<F> samples() {
    std::vector<F> values = edge_elements<F>();
    for (int i = 0; i < 20; ++i) {
      values.push_back(random_element<F>(random_));
    }
    return values;
  }

  std::mt19937_64 random_{20240501};
};

using Fields =
    ::testing::Types<Fp<Bn254FqParams>, Fp<Bn254FrParams>, Fp<Bls12_381FqParams>, Fp<Bls12_381FrParams>>;
class FieldNames {
 public:
  template <class F>
  static std::string GetName(int) {
    std::string name = F::Params::kName;
    for (char& c : name) {
      c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    return name;
  }
};
TYPED_TEST_SUITE(FieldTest, Fields, FieldNames);

TYPED_TEST(FieldTest, OperationsGiveTheBytesOfThePortableReference) {
  using F = TypeParam;
  using Params = typename F::Params;
  const std::vector<F> values = this->samples();
  for (const F& a : values) {
    EXPECT_EQ(a.square().limbs(), portable::mul<Params>(a.limbs(), a.limbs()));
    for (const F& b : values) {
      ASSERT_EQ((a * b).limbs(), portable::mul<Params>(a.limbs(), b.limbs()));
      ASSERT_EQ((a + b).limbs(), portable::add<Params>(a.limbs(), b.limbs()));
      ASSERT_EQ((a - b).limbs(), portable::sub<Params>(a.limbs(), b.limbs()));
    }
  }
}

TYPED_TEST(FieldTest, ProductsOfManyRandomElementsGiveTheBytesOfThePortableReference) {
  using F = TypeParam;
  using Params = typename F::Params;
  for (int i = 0; i < 20000; ++i) {
    const F a = random_element<F>(this->random_);
    const F b = random_element<F>(this->random_);
    ASSERT_EQ((a * b).limbs(), portable::mul<Params>(a.limbs(), b.limbs()));
    ASSERT_EQ(a.square().limbs(), portable::mul<Params>(a.limbs(), a.limbs()));
  }
}

TYPED_TEST(FieldTest, OperationsAgreeWithSlowArithmeticOnCanonicalNumbers) {
  using F = TypeParam;
  const std::vector<F> values = this->samples();
  for (const F& a : values) {
    for (const F& b : values) {
      const auto product = slow_product(a.to_canonical(), b.to_canonical(), F::modulus());
      ASSERT_EQ((a * b).to_canonical(), product);
    }
  }
}

TYPED_TEST(FieldTest, ResultsStayBelowTheModulus) {
  using F = TypeParam;
  for (const F& a : this->samples()) {
    EXPECT_TRUE((-a).is_reduced());
    EXPECT_TRUE(a.doubled().is_reduced());
    EXPECT_TRUE((a - a).is_zero());
    EXPECT_TRUE((a + -a).is_zero());
    EXPECT_TRUE(a.square().is_reduced());
  }
  EXPECT_FALSE(F::from_montgomery_limbs(F::modulus()).is_reduced());
}

TYPED_TEST(FieldTest, CanonicalNumbersComeBackAndTooLargeOnesAreRefused) {
  using F = TypeParam;
  for (const F& a : this->samples()) {
    const auto back = F::from_canonical(a.to_canonical());
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(*back, a);
  }
  EXPECT_FALSE(F::from_canonical(F::modulus()).has_value());
  EXPECT_EQ(F::from_u64(7) * F::from_u64(6), F::from_u64(42));
  EXPECT_EQ(F::one().to_canonical(), F::Int::from_u64(1));
}

TYPED_TEST(FieldTest, InverseUndoesMultiplicationAndZeroStaysZero) {
  using F = TypeParam;
  for (const F& a : this->samples()) {
    EXPECT_EQ(a.inverse() * a, a.is_zero() ? F::zero() : F::one());
  }
}

TYPED_TEST(FieldTest, OperationsInPlaceEqualThoseWithAResultOfTheirOwn) {
  using F = TypeParam;
  for (const F& a : this->samples()) {
    for (const F& b : this->samples()) {
      F sum = a;
      F difference = a;
      F product = a;
      sum += b;
      difference -= b;
      product *= b;
      ASSERT_EQ(sum, a + b);
      ASSERT_EQ(difference, a - b);
      ASSERT_EQ(product, a * b);
    }
    F square = a;
    square *= square;
    EXPECT_EQ(square, a.square());
  }
}

TYPED_TEST(FieldTest, NegatedIfNegatesOnlyWhenAsked) {
  using F = TypeParam;
  for (const F& a : this->samples()) {
    EXPECT_EQ(a.negated_if(true), -a);
    EXPECT_EQ(a.negated_if(false), a);
  }
}

TYPED_TEST(FieldTest, InverseIsThePowerThatFermatNames) {
  using F = TypeParam;
  for (int i = 0; i < 200; ++i) {
    const F a = random_element<F>(this->random_);
    ASSERT_EQ(a.inverse(), a.pow(F::Constants::kModulusMinusTwo));
  }
}

TYPED_TEST(FieldTest, BatchInverseEqualsSingleInversesWithZerosAmongThem) {
  using F = TypeParam;
  std::vector<F> values = this->samples();
  values.push_back(F::zero());
  values.insert(values.begin(), F::zero());
  std::vector<F> expected;
  for (const F& value : values) {
    expected.push_back(value.inverse());
  }
  batch_inverse(std::span<F>(values));
  EXPECT_EQ(values, expected);
  batch_inverse(std::span<F>{});
}

TYPED_TEST(FieldTest, BytesAreTheLittleEndianMontgomeryLimbs) {
  using F = TypeParam;
  std::array<std::byte, F::kBytes + 1> bytes{};
  const F a = random_element<F>(this->random_);
  a.store(bytes.data() + 1);
  EXPECT_EQ(F::load(bytes.data() + 1), a);
  EXPECT_EQ(static_cast<std::uint64_t>(bytes[1]), a.limbs().limbs[0] & 0xff);
}

TYPED_TEST(FieldTest, TheNonResidueHasNoSquareRoot) {
  using F = TypeParam;
  const auto half = shifted_right(F::Constants::minus_small(1), 1);
  EXPECT_EQ(F::from_u64(F::Params::kNonResidue).pow(half), -F::one());
  for (std::uint64_t smaller = 2; smaller < F::Params::kNonResidue; ++smaller) {
    EXPECT_EQ(F::from_u64(smaller).pow(half), F::one());
  }
}

TYPED_TEST(FieldTest, TheRootOfUnityHasExactlyItsOrder) {
  using F = TypeParam;
  for (unsigned k = 1; k <= F::Params::kTwoAdicity; ++k) {
    F root = root_of_unity<F>(k);
    for (unsigned i = 1; i < k; ++i) {
      root = root.square();
    }
    EXPECT_EQ(root, -F::one());
  }
  EXPECT_EQ(root_of_unity<F>(0), F::one());
}

static_assert(
    two_adic_root<Fp<Bn254FrParams>>().to_canonical() ==
    *parse_decimal<4>("19103219067921713944291392827692070036145651957329286315305642004821462161904"));
static_assert(
    two_adic_root<Fp<Bls12_381FrParams>>().to_canonical() ==
    *parse_decimal<4>("937917089079007706106976984802249742464848817460758522850752807661925904159"));
static_assert(
    Fp<Bn254FqParams>::modulus() ==
    *parse_decimal<4>("21888242871839275222246405745257275088696311157297823662689037894645226208583"));
static_assert(
    Fp<Bn254FrParams>::modulus() ==
    *parse_decimal<4>("21888242871839275222246405745257275088548364400416034343698204186575808495617"));

}  // namespace
}  // namespace baton
