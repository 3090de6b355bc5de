#include "cuda/msm/msm.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "tests/gpu/support/gpu_test.hpp"
#include "tests/gpu/support/msm_runner.hpp"

namespace baton::test {
namespace {

using Scalar = BigInt<4>;

template <class Params>
Scalar random_scalar(std::mt19937_64& random) {
  Scalar s;
  do {
    for (std::uint64_t& limb : s.limbs) {
      limb = random();
    }
    s.limbs[3] >>= 1;
  } while (!(s < Params::modulus()));
  return s;
}

template <class G>
class MsmTest : public testing::Test {
 public:
  using Params = typename G::ScalarParams;
  std::mt19937_64 random{7};

  Scalar scalar() { return random_scalar<Params>(random); }
  std::uint32_t factor() { return static_cast<std::uint32_t>(random() % 0x7ffffffe) + 1; }

  MsmInput input(std::size_t n, const std::function<Scalar(std::size_t)>& scalar_of,
                 const std::function<std::uint32_t(std::size_t)>& factor_of) {
    MsmInput in;
    for (std::size_t i = 0; i < n; ++i) {
      in.scalars.push_back(scalar_of(i));
      in.factors.push_back(factor_of(i));
    }
    return in;
  }
  MsmInput random_input(std::size_t n) {
    return input(
        n, [&](std::size_t) { return scalar(); }, [&](std::size_t) { return factor(); });
  }
  Scalar witness_like(std::size_t) {
    const std::uint64_t kind = random() % 100;
    return kind < 40   ? Scalar{}
           : kind < 80 ? Scalar::from_u64(1)
           : kind < 95 ? Scalar::from_u64(random() % 65536)
                       : scalar();
  }

  static MsmWindows windows(unsigned bits, unsigned tables) {
    MsmWindows w{G::kScalarBits, bits, 1};
    w.tables = std::min(tables, w.windows());
    return w;
  }

  /// The known answer, the same from two different poisons.
  void expect_known(const MsmInput& in, const MsmWindows& w, const std::string& what) {
    std::vector<Scalar> used(in.scalars.begin() + in.first, in.scalars.end());
    used.resize(in.factors.size());
    const auto expected = known_sum<G>(in.factors, used);
    for (const int poison : {0xa6, 0x01}) {
      const auto got = run_msm<G>({&in, 1}, w, poison);
      ASSERT_TRUE(got.is_ok()) << what << ": " << got.status().to_string();
      ASSERT_EQ(*got, expected) << what << " n " << in.scalars.size() << " c " << w.window_bits << " k "
                                << w.tables << " poison " << poison;
    }
  }
};

using Groups = testing::Types<Bn254G1Group, Bn254G2Group, Bls12_381G1Group, Bls12_381G2Group>;
TYPED_TEST_SUITE(MsmTest, Groups);

TYPED_TEST(MsmTest, EverySizeGivesTheKnownSum) {
  BATON_SKIP_WITHOUT_DEVICE();
  for (const std::size_t n : {0, 1, 2, 31, 33, 255, 256, 257, 1025}) {
    this->expect_known(this->random_input(n), this->windows(8, 32), "random");
  }
}

TYPED_TEST(MsmTest, EveryNumberOfTablesAndWidthGivesTheKnownSum) {
  BATON_SKIP_WITHOUT_DEVICE();
  const MsmInput in = this->random_input(500);
  for (const unsigned bits : {4, 7, 13}) {
    for (const unsigned tables : {1, 2, 4, 64}) {
      this->expect_known(in, this->windows(bits, tables), "tables");
    }
  }
}

TYPED_TEST(MsmTest, SpecialScalarsGiveTheKnownSum) {
  BATON_SKIP_WITHOUT_DEVICE();
  const Scalar r = TypeParam::ScalarParams::modulus();
  Scalar minus_one;
  sub_with_borrow(minus_one, r, Scalar::from_u64(1));
  const Scalar half = shifted_right(r, 1);
  Scalar above_half;
  add_with_carry(above_half, half, Scalar::from_u64(1));
  Scalar below_half;
  sub_with_borrow(below_half, half, Scalar::from_u64(1));
  const Scalar equal = this->scalar();
  const auto factor = [&](std::size_t) { return this->factor(); };
  for (const unsigned tables : {1, 3, 64}) {
    const MsmWindows w = this->windows(9, tables);
    const auto check = [&](const char* what, const std::function<Scalar(std::size_t)>& scalar_of) {
      this->expect_known(this->input(700, scalar_of, factor), w, what);
    };
    check("all 0", [](std::size_t) { return Scalar{}; });
    check("all 1", [](std::size_t) { return Scalar::from_u64(1); });
    check("all r-1", [&](std::size_t) { return minus_one; });
    check("all equal", [&](std::size_t) { return equal; });
    check("one not zero", [&](std::size_t i) { return i == 345 ? equal : Scalar{}; });
    check("around r/2",
          [&](std::size_t i) { return i % 3 == 0 ? half : (i % 3 == 1 ? above_half : below_half); });
    check("witness", [&](std::size_t i) { return this->witness_like(i); });
    for (const std::uint64_t digit : {std::uint64_t{256}, std::uint64_t{257}}) {
      check("2^(c-1) and above in every window", [&](std::size_t i) {
        Scalar s;
        for (unsigned w0 = 0; w0 < 27; ++w0) {
          if ((i + w0) % 3 != 0) {
            const unsigned bit = w0 * 9;
            s.limbs[bit / 64] |= digit << (bit % 64);
            if (bit % 64 > 55) {
              s.limbs[bit / 64 + 1] |= digit >> (64 - bit % 64);
            }
          }
        }
        s.limbs[3] &= 0x0fffffffffffffffU;
        return s;
      });
    }
  }
}

TYPED_TEST(MsmTest, SpecialPointsGiveTheKnownSum) {
  BATON_SKIP_WITHOUT_DEVICE();
  const auto scalar = [&](std::size_t) { return this->scalar(); };
  const Scalar equal = this->scalar();
  for (const unsigned tables : {1, 64}) {
    const MsmWindows w = this->windows(6, tables);
    this->expect_known(this->input(400, scalar, [](std::size_t) { return 5U; }), w, "all points equal");
    this->expect_known(this->input(
                           400, [&](std::size_t) { return equal; },
                           [](std::size_t i) { return 5U | (i % 2 != 0 ? kNegative : 0U); }),
                       w, "P and -P: infinity");
    this->expect_known(
        this->input(401, scalar, [](std::size_t i) { return 5U | (i % 2 != 0 ? kNegative : 0U); }), w,
        "P and -P, other scalars");
    this->expect_known(
        this->input(500, scalar, [&](std::size_t i) { return i % 3 == 0 || i < 70 ? 0U : this->factor(); }),
        w, "infinity among the points");
    this->expect_known(this->input(100, scalar, [](std::size_t) { return 0U; }), w, "only infinity");
  }
}

TYPED_TEST(MsmTest, PointsOfTheLaterScalarsOnlyGiveTheKnownSum) {
  BATON_SKIP_WITHOUT_DEVICE();
  MsmInput in = this->random_input(300);
  in.first = 37;
  in.factors.resize(300 - 37);
  this->expect_known(in, this->windows(7, 64), "from scalar 37 on");
}

TYPED_TEST(MsmTest, TwoSourcesShareOneBucketSet) {
  BATON_SKIP_WITHOUT_DEVICE();
  using G = TypeParam;
  for (const unsigned tables : {2, 64}) {
    const MsmWindows w = this->windows(8, tables);
    std::vector<MsmInput> inputs = {this->input(
                                        600, [&](std::size_t i) { return this->witness_like(i); },
                                        [&](std::size_t i) { return i % 5 == 0 ? 0U : this->factor(); }),
                                    this->random_input(256)};
    // The same bucket holds opposite sums of both sources.
    inputs[1].scalars[0] = Scalar::from_u64(1);
    const auto a = known_sum<G>(inputs[0].factors, inputs[0].scalars);
    const auto b = known_sum<G>(inputs[1].factors, inputs[1].scalars);
    using Reference = typename ReferenceOf<G>::Affine;
    const auto expected = (CurveXyzz<typename Reference::Field>::from_affine(a) + b).to_affine();
    for (const int poison : {0xa6, 0x01}) {
      const auto got = run_msm<G>(inputs, w, poison);
      ASSERT_TRUE(got.is_ok()) << got.status().to_string();
      ASSERT_EQ(*got, expected);
    }
  }
}

TYPED_TEST(MsmTest, ManyScalarsInWideWindowsGiveTheKnownSum) {
  BATON_SKIP_WITHOUT_DEVICE();
  const std::size_t n = (1U << 15) + 1;
  this->expect_known(this->random_input(n), this->windows(14, 64), "dense");
  this->expect_known(this->input(
                         n, [&](std::size_t i) { return this->witness_like(i); },
                         [&](std::size_t) { return this->factor(); }),
                     this->windows(14, 64), "witness");
  this->expect_known(
      this->input(
          n, [&](std::size_t) { return Scalar::from_u64(1); }, [&](std::size_t) { return this->factor(); }),
      this->windows(16, 64), "ones");
}

}  // namespace
}  // namespace baton::test
