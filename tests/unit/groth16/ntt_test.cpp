#include "shared/groth16/ntt.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "shared/groth16/quotient.hpp"
#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "tests/unit/math/random_elements.hpp"

namespace baton {
namespace {

template <class Curve>
class NttTest : public testing::Test {
 protected:
  using Scalar = typename Curve::Fr;

  std::vector<Scalar> random_vector(std::size_t n) {
    std::vector<Scalar> values(n);
    for (Scalar& value : values) {
      value = random_element<Scalar>(random_);
    }
    return values;
  }

  /// The polynomial of the coefficients (in natural order) at x, by Horner's rule.
  static Scalar evaluate(const std::vector<Scalar>& coefficients, const Scalar& x) {
    Scalar sum = Scalar::zero();
    for (std::size_t j = coefficients.size(); j != 0; --j) {
      sum = sum * x + coefficients[j - 1];
    }
    return sum;
  }

  static Scalar power(const Scalar& base, std::size_t exponent) {
    return base.pow(BigInt<1>::from_u64(exponent));
  }

  static std::size_t reversed(std::size_t index, unsigned bits) {
    std::size_t result = 0;
    for (unsigned bit = 0; bit < bits; ++bit) {
      result |= ((index >> bit) & 1) << (bits - 1 - bit);
    }
    return result;
  }

  /// Natural order, factor 1 / n taken out.
  static std::vector<Scalar> coefficients_of(std::vector<Scalar> values, unsigned log_size,
                                             const RootTable<Scalar>& table) {
    inverse_ntt(values.data(), values.size(), table);
    const Scalar scale = Scalar::from_u64(values.size()).inverse();
    std::vector<Scalar> result(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      result[reversed(i, log_size)] = values[i] * scale;
    }
    return result;
  }

  std::mt19937_64 random_{7};
};

using Curves = testing::Types<Bn254, Bls12_381>;
TYPED_TEST_SUITE(NttTest, Curves);

TYPED_TEST(NttTest, InverseGivesThePolynomialThatTakesTheValues) {
  using Fr = typename TypeParam::Fr;
  for (unsigned k = 1; k <= 7; ++k) {
    const RootTable<Fr> table(k);
    const auto values = this->random_vector(std::size_t{1} << k);
    const auto coefficients = this->coefficients_of(values, k, table);
    const Fr w = root_of_unity<Fr>(k);
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(this->evaluate(coefficients, this->power(w, i)), values[i]) << "2^" << k << " at " << i;
    }
  }
}

TYPED_TEST(NttTest, CosetTransformEvaluatesAtTheOddPoints) {
  using Fr = typename TypeParam::Fr;
  for (unsigned k = 1; k <= 7; ++k) {
    const RootTable<Fr> table(k + 1);  // a table may be larger than needed
    const auto coefficients = this->random_vector(std::size_t{1} << k);
    std::vector<Fr> x(coefficients.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = coefficients[this->reversed(i, k)];
    }
    coset_ntt(x.data(), x.size(), table);
    const Fr w = root_of_unity<Fr>(k + 1);
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(x[i], this->evaluate(coefficients, this->power(w, 2 * i + 1))) << "2^" << k << " at " << i;
    }
  }
}

TYPED_TEST(NttTest, LargeTransformsAgreeWithHornerAtSomePoints) {
  using Fr = typename TypeParam::Fr;
  for (const unsigned k : {12U, 13U, 14U, 15U}) {
    const RootTable<Fr> table(k);
    const auto values = this->random_vector(std::size_t{1} << k);
    const auto coefficients = this->coefficients_of(values, k, table);
    std::vector<Fr> odd(values);
    inverse_ntt(odd.data(), odd.size(), table);
    coset_ntt(odd.data(), odd.size(), table);
    const Fr scale = Fr::from_u64(odd.size()).inverse();
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}, odd.size() / 2 + 5, odd.size() - 1}) {
      EXPECT_EQ(this->evaluate(coefficients, this->power(root_of_unity<Fr>(k), i)), values[i]);
      EXPECT_EQ(this->evaluate(coefficients, this->power(root_of_unity<Fr>(k + 1), 2 * i + 1)),
                odd[i] * scale);
    }
  }
}

TYPED_TEST(NttTest, QuotientIsAbMinusCAtTheOddPoints) {
  using Fr = typename TypeParam::Fr;
  for (const unsigned k : {1U, 2U, 5U}) {
    const RootTable<Fr> table(k);
    auto a = this->random_vector(std::size_t{1} << k);
    auto b = this->random_vector(a.size());
    auto c = this->random_vector(a.size());
    const auto a_poly = this->coefficients_of(a, k, table);
    const auto b_poly = this->coefficients_of(b, k, table);
    const auto c_poly = this->coefficients_of(c, k, table);
    quotient_in_place<Fr>(a, b, c, table);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Fr x = this->power(root_of_unity<Fr>(k + 1), 2 * i + 1);
      const Fr h = this->evaluate(a_poly, x) * this->evaluate(b_poly, x) - this->evaluate(c_poly, x);
      ASSERT_EQ(a[i].limbs(), h.to_canonical()) << "2^" << k << " at " << i;
    }
  }
}

TYPED_TEST(NttTest, QuotientOfZeroVectorsIsZero) {
  using Fr = typename TypeParam::Fr;
  const RootTable<Fr> table(13);
  std::vector<Fr> a(std::size_t{1} << 13);
  std::vector<Fr> b(a.size());
  std::vector<Fr> c(a.size());
  quotient_in_place<Fr>(a, b, c, table);
  EXPECT_EQ(a, std::vector<Fr>(a.size()));
}

}  // namespace
}  // namespace baton
