#include "cuda/ntt/ntt_pass.cuh"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "cuda/ntt/ntt_kernels.cuh"
#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "shared/math/roots.hpp"

// Runs the device's passes on the host, step by step and thread by thread, against the definition.
namespace baton::ntt {
namespace {

template <class Fr>
std::vector<Fr> powers(const Fr& base, std::size_t count) {
  std::vector<Fr> result(count, Fr::one());
  for (std::size_t i = 1; i < count; ++i) {
    result[i] = result[i - 1] * base;
  }
  return result;
}

template <class Fr>
EighthRoots<Fr> eighths(const Fr& root) {
  return {{root, root.square(), root.square() * root}};
}

/// Tables of one direction.
template <class Fr>
struct Direction {
  std::vector<Fr> rows[PassPlan::kMaxPasses];
  std::vector<Fr> twiddles[PassPlan::kMaxPasses];
  EighthRoots<Fr> eighth;

  Direction(unsigned log_size, bool forward) {
    const Fr root = forward ? root_of_unity<Fr>(log_size) : root_of_unity<Fr>(log_size).inverse();
    eighth = eighths(forward ? root_of_unity<Fr>(3) : root_of_unity<Fr>(3).inverse());
    const PassPlan plan = PassPlan::of(log_size);
    const std::vector<Fr> all = powers(root, std::size_t{1} << log_size);
    for (unsigned i = 0; i < plan.count; ++i) {
      const unsigned log_rows = plan.log_rows[i];
      for (std::uint32_t e = 0; e < 1U << log_rows; ++e) {
        rows[i].push_back(all[static_cast<std::size_t>(e) << (log_size - log_rows)]);
      }
      const unsigned log_span = log_rows + plan.log_stride(i);
      for (std::uint32_t place = 0; i + 1 < plan.count && place < 1U << log_span; ++place) {
        const std::uint32_t column = place & ((1U << plan.log_stride(i)) - 1);
        const std::uint32_t row = place >> plan.log_stride(i);
        twiddles[i].push_back(all[(column * reversed(row, log_rows)) << (log_size - log_span)]);
      }
    }
  }
};

template <class Fr>
class HostTransform {
 public:
  explicit HostTransform(unsigned log_size)
      : log_size_(log_size),
        plan_(PassPlan::of(log_size)),
        inverse_(log_size, false),
        forward_(log_size, true) {
    const Fr shift = root_of_unity<Fr>(log_size + 1);
    const Fr scale = Fr::from_u64(std::uint64_t{1} << log_size).inverse();
    const std::vector<Fr> shifts = powers(shift, std::size_t{1} << log_size);
    for (std::uint32_t p = 0; p < shifts.size(); ++p) {
      factors_.push_back(shifts[reversed(p, log_size)] * scale);
    }
  }

  void to_coset(std::vector<Fr>& x) const {
    for (unsigned i = 0; i + 1 < plan_.count; ++i) {
      strided(i, x, false);
    }
    contiguous(x);
    for (unsigned i = plan_.count - 1; i > 0; --i) {
      strided(i - 1, x, true);
    }
  }

 private:
  void strided(unsigned i, std::vector<Fr>& x, bool forward) const {
    const Direction<Fr>& tables = forward ? forward_ : inverse_;
    const StridedPass<Fr> pass{plan_.log_rows[i],
                               plan_.log_stride(i),
                               tables.twiddles[i].data(),
                               {tables.rows[i].data(), tables.eighth}};
    const std::uint32_t rows = 1U << pass.log_rows;
    const LoadPlain<Fr> load{x.data()};
    const StorePlain<Fr> store{x.data()};
    Memory memory(rows);
    const Tile<Fr> roots = memory.roots(pass.roots.rows);
    const unsigned phases = Phases{pass.log_rows}.count();
    for (std::uint32_t block = 0; block < x.size() / rows / kColumns; ++block) {
      for (unsigned p = 0; p < phases; ++p) {
        for (std::uint32_t thread = 0; thread < rows; ++thread) {
          if (forward) {
            pass.forward_phase(phases - 1 - p, block, thread, memory.tile(), roots, load, store);
          } else {
            pass.inverse_phase(p, block, thread, memory.tile(), roots, load, store);
          }
        }
      }
    }
  }

  void contiguous(std::vector<Fr>& x) const {
    const unsigned last = plan_.count - 1;
    const ContiguousPass<Fr> pass{plan_.log_rows[last],
                                  log_size_,
                                  factors_.data(),
                                  Fr::one(),
                                  {inverse_.rows[last].data(), inverse_.eighth},
                                  {forward_.rows[last].data(), forward_.eighth}};
    const std::uint32_t rows = 1U << pass.log_rows;
    Memory memory(rows);
    const Tile<Fr> tile = memory.tile();
    const unsigned phases = Phases{pass.log_rows}.count();
    for (std::uint32_t block = 0; block * kColumns < pass.runs(); ++block) {
      const auto each = [&](auto&& step) {
        for (std::uint32_t thread = 0; thread < rows; ++thread) {
          step(thread);
        }
      };
      each([&](std::uint32_t t) { pass.load(block, t, tile, LoadPlain<Fr>{x.data()}); });
      const Tile<Fr> inverse_roots = memory.roots(pass.inverse.rows);
      for (unsigned p = 0; p + 1 < phases; ++p) {
        each([&](std::uint32_t t) { pass.inverse_phase(p, t, tile, inverse_roots); });
      }
      each([&](std::uint32_t t) { pass.template turn<true, true>(block, t, tile); });
      const Tile<Fr> forward_roots = memory.roots(pass.forward.rows);
      for (unsigned p = phases - 1; p > 0; --p) {
        each([&](std::uint32_t t) { pass.forward_phase(p - 1, t, tile, forward_roots); });
      }
      each([&](std::uint32_t t) { pass.store(block, t, tile, StorePlain<Fr>{x.data()}); });
    }
  }

  /// What a block has in shared memory.
  class Memory {
   public:
    explicit Memory(std::uint32_t rows) : rows_(rows), halves_(rows * 2 + rows * kColumns * 2) {}
    Tile<Fr> roots(const Fr* source) {
      const Tile<Fr> roots(halves_.data(), rows_ / 8);
      for (std::uint32_t thread = 0; thread < rows_; ++thread) {
        copy_roots(source, roots, thread);
      }
      return roots;
    }
    Tile<Fr> tile() { return Tile<Fr>(halves_.data() + rows_ * 2, rows_); }

   private:
    std::uint32_t rows_;
    std::vector<Half> halves_;
  };

  unsigned log_size_;
  PassPlan plan_;
  Direction<Fr> inverse_;
  Direction<Fr> forward_;
  std::vector<Fr> factors_;
};

template <class Fr>
std::vector<Fr> random_values(unsigned log_size) {
  std::mt19937_64 random(log_size);
  std::vector<Fr> values;
  for (std::size_t i = 0; i < std::size_t{1} << log_size; ++i) {
    values.push_back(Fr::from_u64(random()) * Fr::from_u64(random()) * Fr::from_u64(random()));
  }
  return values;
}

/// The polynomial of degree below n with these values at the domain, at one point outside the domain:
/// (z^n - 1) / n * sum x_j w^j / (z - w^j).
template <class Fr>
Fr interpolated(const std::vector<Fr>& x, unsigned log_size, const Fr& z) {
  const Fr root = root_of_unity<Fr>(log_size);
  Fr power = Fr::one();
  Fr sum = Fr::zero();
  for (const Fr& value : x) {
    sum += value * power * (z - power).inverse();
    power *= root;
  }
  Fr vanishing = z;
  for (unsigned i = 0; i < log_size; ++i) {
    vanishing = vanishing.square();
  }
  return (vanishing - Fr::one()) * Fr::from_u64(x.size()).inverse() * sum;
}

template <class Fr>
class NttPass : public ::testing::Test {};
using ScalarFields = ::testing::Types<Bn254::Fr, Bls12_381::Fr>;
TYPED_TEST_SUITE(NttPass, ScalarFields);

TYPED_TEST(NttPass, GivesTheInterpolatedValuesAtTheOddPoints) {
  using Fr = TypeParam;
  for (const unsigned log_size : {3U, 4U, 5U, 8U, 9U, 10U, 11U, 13U, 16U, 17U}) {
    const std::vector<Fr> values = random_values<Fr>(log_size);
    std::vector<Fr> sut = values;
    HostTransform<Fr>(log_size).to_coset(sut);
    const Fr odd_root = root_of_unity<Fr>(log_size + 1);
    for (const std::size_t i :
         {std::size_t{0}, std::size_t{1}, std::size_t{5}, values.size() / 2, values.size() - 1}) {
      const Fr z = odd_root.pow(BigInt<1>::from_u64(2 * i + 1));
      EXPECT_EQ(sut[i], interpolated(values, log_size, z)) << "2^" << log_size << ", value " << i;
    }
  }
}

TEST(PassPlan, CutsEverySizeIntoPassesThatTheKernelsTake) {
  for (unsigned log_size = PassPlan::kMinLogSize; log_size <= PassPlan::kMaxLogSize; ++log_size) {
    const PassPlan plan = PassPlan::of(log_size);
    unsigned sum = 0;
    for (unsigned i = 0; i < plan.count; ++i) {
      EXPECT_GE(plan.log_rows[i], kMinLogRows);
      EXPECT_LE(plan.log_rows[i], kMaxLogRows);
      sum += plan.log_rows[i];
    }
    EXPECT_EQ(sum, log_size);
  }
}

}  // namespace
}  // namespace baton::ntt
