#include "shared/groth16/msm.hpp"

#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include <functional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "shared/math/scalar_mul.hpp"
#include "tests/unit/math/random_elements.hpp"

namespace baton {
namespace {

template <class C, class A>
struct Group {
  using Curve = C;
  using Affine = A;
};

/// All points are known multiples of the generator, so every expected sum is one multiplication.
template <class G>
class MsmTest : public testing::Test {
 protected:
  using Curve = typename G::Curve;
  using Affine = typename G::Affine;
  using Xyzz = CurveXyzz<typename Affine::Field>;
  using Scalar = typename Curve::Fr;
  using Scalars = std::vector<BigInt<4>>;

  static Affine generator() {
    if constexpr (std::is_same_v<Affine, typename Curve::G1Affine>) {
      return Curve::g1_generator();
    } else {
      return Curve::g2_generator();
    }
  }

  /// Points 1 G, 2 G, 3 G, ...
  void use_counting_points(std::size_t count) {
    std::vector<Xyzz> points(count);
    Xyzz point = Xyzz::infinity();
    factors_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      point += generator();
      points[i] = point;
      factors_.push_back(Scalar::from_u64(i + 1));
    }
    points_.resize(count);
    to_affine(std::span<const Xyzz>(points), std::span<Affine>(points_));
  }

  /// Points factor(i) G, for factors of small absolute value.
  void use_points(std::size_t count, const std::function<int(std::size_t)>& factor) {
    points_.clear();
    factors_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const int f = factor(i);
      const auto magnitude = static_cast<std::uint64_t>(std::abs(f));
      const Affine point = scalar_mul(generator(), BigInt<1>::from_u64(magnitude)).to_affine();
      points_.push_back(f < 0 ? -point : point);
      factors_.push_back(f < 0 ? -Scalar::from_u64(magnitude) : Scalar::from_u64(magnitude));
    }
  }

  Affine compute(const Scalars& scalars, std::size_t first_scalar, std::size_t count) {
    Affine result{};
    MsmGroup<Curve> group;
    group.scalars = std::as_bytes(std::span(scalars));
    // One byte off: keys in files are not aligned.
    bytes_.assign(1, std::byte{0});
    const auto own = std::as_bytes(std::span(points_));
    bytes_.insert(bytes_.end(), own.begin(), own.end());
    const MsmTerm<Affine> term = {{bytes_.data() + 1, first_scalar, count}, &result, nullptr};
    if constexpr (std::is_same_v<Affine, typename Curve::G1Affine>) {
      group.g1.push_back(term);
    } else {
      group.g2.push_back(term);
    }
    sut_.compute(std::span(&group, 1));
    return result;
  }

  void expect_sum(const Scalars& scalars, const std::string& what) {
    Scalar sum = Scalar::zero();
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      sum += Scalar::from_canonical_unchecked(scalars[i]) * factors_[i];
    }
    EXPECT_EQ(compute(scalars, 0, scalars.size()), scalar_mul(generator(), sum.to_canonical()).to_affine())
        << what << ", " << scalars.size() << " points";
  }

  static BigInt<4> minus_one() { return (-Scalar::one()).to_canonical(); }

  Scalars random_scalars(std::size_t count) {
    Scalars scalars(count);
    for (auto& scalar : scalars) {
      scalar = random_below(Scalar::modulus(), random_);
    }
    return scalars;
  }

  /// Half bits, some small numbers, some negative ones, a few of full size.
  Scalars witness_like(std::size_t count) {
    Scalars scalars(count);
    for (auto& scalar : scalars) {
      const auto kind = random_() % 16;
      scalar = kind < 10   ? BigInt<4>::from_u64(random_() % 2)
               : kind < 14 ? BigInt<4>::from_u64(random_())
               : kind < 15 ? (-Scalar::from_u64(random_() % 100)).to_canonical()
                           : random_below(Scalar::modulus(), random_);
    }
    return scalars;
  }

  std::mt19937_64 random_{11};
  std::vector<Affine> points_;
  std::vector<Scalar> factors_;
  std::vector<std::byte> bytes_;
  Msm<Curve> sut_;
};

using Groups = testing::Types<Group<Bn254, Bn254::G1Affine>, Group<Bn254, Bn254::G2Affine>,
                              Group<Bls12_381, Bls12_381::G1Affine>, Group<Bls12_381, Bls12_381::G2Affine>>;
TYPED_TEST_SUITE(MsmTest, Groups);

constexpr std::size_t kSizes[] = {0, 1, 2, 31, 33, 255, 256, 257, 4095, 4096, 4097};

TYPED_TEST(MsmTest, RandomScalarsGiveTheKnownSum) {
  for (const std::size_t size : kSizes) {
    this->use_counting_points(size);
    this->expect_sum(this->random_scalars(size), "random");
  }
}

TYPED_TEST(MsmTest, SkewedScalarsGiveTheKnownSum) {
  using Fr = typename TypeParam::Curve::Fr;
  const auto half = shifted_right(Fr::modulus(), 1);
  for (const std::size_t size : {std::size_t{1}, std::size_t{33}, std::size_t{9000}}) {
    this->use_counting_points(size);
    const auto all = [&](const BigInt<4>& scalar) { return std::vector<BigInt<4>>(size, scalar); };
    this->expect_sum(all({}), "all zero");
    this->expect_sum(all(BigInt<4>::from_u64(1)), "all one");
    this->expect_sum(all(this->minus_one()), "all r - 1");
    this->expect_sum(all(half), "all (r - 1) / 2");
    this->expect_sum(all((Fr::from_canonical_unchecked(half) + Fr::one()).to_canonical()), "all (r + 1) / 2");
    this->expect_sum(all(this->random_scalars(1)[0]), "all equal");
    this->expect_sum(this->witness_like(size), "as in a witness");
    auto single = all({});
    single[size / 2] = this->minus_one();
    this->expect_sum(single, "one non-zero");
  }
}

TYPED_TEST(MsmTest, DigitsAtTheEdgeOfEveryWidthGiveTheKnownSum) {
  using Fr = typename TypeParam::Curve::Fr;
  this->use_counting_points(300);
  for (unsigned width = 3; width <= 16; ++width) {
    std::vector<BigInt<4>> scalars(300);
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      // 2^(width - 1), one more or one less in every window
      const auto digit = Fr::from_u64((std::uint64_t{1} << (width - 1)) + i % 3 - 1);
      const Fr base = Fr::from_u64(std::uint64_t{1} << width);
      Fr scalar = Fr::zero();
      for (unsigned window = 0; window < 250 / width; ++window) {
        scalar = scalar * base + digit;
      }
      scalars[i] = scalar.to_canonical();
    }
    this->expect_sum(scalars, "edge digits of width " + std::to_string(width));
  }
}

TYPED_TEST(MsmTest, EqualOppositeAndInfinitePointsGiveTheKnownSum) {
  const std::size_t size = 2500;
  const auto scalars = this->random_scalars(size);
  const auto ones = std::vector<BigInt<4>>(size, BigInt<4>::from_u64(1));
  const std::vector<std::function<int(std::size_t)>> lists = {
      [](std::size_t) { return 7; }, [](std::size_t i) { return i % 2 == 0 ? 7 : -7; },
      [](std::size_t) { return 0; },
      [](std::size_t i) { return i % 3 == 0 ? 0 : 1 + static_cast<int>(i % 5); }};
  for (std::size_t list = 0; list < lists.size(); ++list) {
    this->use_points(size, lists[list]);
    this->expect_sum(scalars, "random scalars, list " + std::to_string(list));
    this->expect_sum(ones, "ones, list " + std::to_string(list));
  }
}

TYPED_TEST(MsmTest, TablesMayBeginAtALaterScalarAndEndBeforeTheLast) {
  using Fr = typename TypeParam::Curve::Fr;
  this->use_counting_points(500);
  const auto scalars = this->random_scalars(600);
  Fr sum = Fr::zero();
  for (std::size_t i = 0; i < 500; ++i) {
    sum += Fr::from_canonical_unchecked(scalars[i + 40]) * this->factors_[i];
  }
  EXPECT_EQ(this->compute(scalars, 40, 500), scalar_mul(this->generator(), sum.to_canonical()).to_affine());
  EXPECT_TRUE(this->compute(scalars, 40, 0).is_infinity());
}

TYPED_TEST(MsmTest, ResultsDoNotDependOnTheNumberOfThreads) {
  this->use_counting_points(6000);
  const auto scalars = this->witness_like(6000);
  tbb::task_arena one(1);
  tbb::task_arena many(6);
  const auto first = one.execute([&] { return this->compute(scalars, 0, 6000); });
  const auto second = many.execute([&] { return this->compute(scalars, 0, 6000); });
  EXPECT_EQ(first, second);
}

TEST(MsmGroups, TermsOfSeveralGroupsAreComputedTogether) {
  using Fr = Bn254::Fr;
  std::mt19937_64 random(5);
  const auto g1 = [](std::uint64_t k) {
    return scalar_mul(Bn254::g1_generator(), BigInt<1>::from_u64(k)).to_affine();
  };
  const auto g2 = [](std::uint64_t k) {
    return scalar_mul(Bn254::g2_generator(), BigInt<1>::from_u64(k)).to_affine();
  };
  const std::vector points{g1(3), g1(4)};
  const std::vector twisted{g2(5), g2(6)};
  const std::vector<BigInt<4>> w{random_below(Fr::modulus(), random), random_below(Fr::modulus(), random)};
  const std::vector<BigInt<4>> h{random_below(Fr::modulus(), random), BigInt<4>::from_u64(1)};
  Bn254::G1Affine first;
  Bn254::G1Affine second;
  Bn254::G2Affine third;
  std::vector<MsmGroup<Bn254>> groups(2);
  const auto* bytes = std::as_bytes(std::span(points)).data();
  groups[0] = {std::as_bytes(std::span(w)),
               {{{bytes, 0, 2}, &first, nullptr}},
               {{{std::as_bytes(std::span(twisted)).data(), 0, 2}, &third, nullptr}}};
  groups[1] = {std::as_bytes(std::span(h)), {{{bytes, 0, 2}, &second, nullptr}}, {}};
  Msm<Bn254> sut;
  sut.compute(groups);
  const auto dot = [](const std::vector<BigInt<4>>& k, std::uint64_t x, std::uint64_t y) {
    return (Fr::from_canonical_unchecked(k[0]) * Fr::from_u64(x) +
            Fr::from_canonical_unchecked(k[1]) * Fr::from_u64(y))
        .to_canonical();
  };
  EXPECT_EQ(first, scalar_mul(Bn254::g1_generator(), dot(w, 3, 4)).to_affine());
  EXPECT_EQ(second, scalar_mul(Bn254::g1_generator(), dot(h, 3, 4)).to_affine());
  EXPECT_EQ(third, scalar_mul(Bn254::g2_generator(), dot(w, 5, 6)).to_affine());
}

}  // namespace
}  // namespace baton
