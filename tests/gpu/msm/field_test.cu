#include <gtest/gtest.h>

#include "cuda/field/lazy_fp.cuh"
#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "tests/gpu/support/gpu_test.hpp"
#include "tests/gpu/support/msm_runner.hpp"
#include "tests/unit/cuda/field_samples.hpp"

namespace baton::test {
namespace {

enum class Operation { kMul, kSqr, kAdd, kSub };

/// out[4 i + op] = a[i] op b[i], through Fp, that is through the hook.
template <class Params>
__global__ void canonical_operations(const Fp<Params>* a, const Fp<Params>* b, std::uint32_t count,
                                     Fp<Params>* out) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    out[4 * i] = a[i] * b[i];
    out[4 * i + 1] = a[i].square();
    out[4 * i + 2] = a[i] + b[i];
    out[4 * i + 3] = a[i] - b[i];
  }
}

/// The same in lazy form, inputs anywhere in [0, 2p); and a b - b a b, and the inverse.
template <class Params>
__global__ void lazy_operations(const device::LazyFp<Params>* a, const device::LazyFp<Params>* b,
                                std::uint32_t count, device::LazyFp<Params>* out) {
  using L = device::LazyFp<Params>;
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    out[4 * i] = a[i] * b[i];
    out[4 * i + 1] = a[i].square();
    out[4 * i + 2] = L::mul_sub(a[i], b[i], b[i], b[i]) + b[i];
    out[4 * i + 3] = i % 1024 == 0 ? a[i].inverse() : a[i] - b[i];
  }
}

constexpr std::uint32_t kCount = 1U << 20;

template <class Params>
std::vector<BigInt<Params::kLimbs>> run(const std::vector<BigInt<Params::kLimbs>>& a,
                                        const std::vector<BigInt<Params::kLimbs>>& b, bool lazy) {
  using Int = BigInt<Params::kLimbs>;
  const auto device_a = to_device(std::as_bytes(std::span(a)));
  const auto device_b = to_device(std::as_bytes(std::span(b)));
  const auto out = DeviceBuffer::allocate(a.size() * 4 * sizeof(Int));
  EXPECT_TRUE(device_a.is_ok() && device_b.is_ok() && out.is_ok());
  const auto count = static_cast<std::uint32_t>(a.size());
  if (lazy) {
    if constexpr (!std::is_same_v<Params, Bls12_381FrParams>) {
      using L = device::LazyFp<Params>;
      lazy_operations<Params><<<(count + 127) / 128, 128>>>(
          device_a->template as<L>(), device_b->template as<L>(), count, out->template as<L>());
    }
  } else {
    using F = Fp<Params>;
    canonical_operations<Params><<<(count + 127) / 128, 128>>>(
        device_a->template as<F>(), device_b->template as<F>(), count, out->template as<F>());
  }
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::vector<Int> host(a.size() * 4);
  EXPECT_EQ(cudaMemcpy(host.data(), out->data(), host.size() * sizeof(Int), cudaMemcpyDeviceToHost),
            cudaSuccess);
  return host;
}

template <class Params>
Fp<Params> residue(BigInt<Params::kLimbs> x) {
  while (!(x < Params::modulus())) {
    sub_with_borrow(x, x, Params::modulus());
  }
  return Fp<Params>::from_montgomery_limbs(x);
}

template <class Params>
class DeviceFieldTest : public testing::Test {};
using Fields = testing::Types<Bn254FqParams, Bn254FrParams, Bls12_381FqParams, Bls12_381FrParams>;
TYPED_TEST_SUITE(DeviceFieldTest, Fields);

TYPED_TEST(DeviceFieldTest, AMillionCanonicalOperationsEqualTheHostByteForByte) {
  BATON_SKIP_WITHOUT_DEVICE();
  using P = TypeParam;
  const auto a = field_samples<P>(1, kCount, 11);
  auto b = field_samples<P>(1, kCount, 12);
  std::rotate(b.begin(), b.begin() + 3, b.end());
  const auto got = run<P>(a, b, false);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Fp<P> x = residue<P>(a[i]);
    const Fp<P> y = residue<P>(b[i]);
    ASSERT_EQ(got[4 * i], (x * y).limbs()) << i;
    ASSERT_EQ(got[4 * i + 1], x.square().limbs()) << i;
    ASSERT_EQ(got[4 * i + 2], (x + y).limbs()) << i;
    ASSERT_EQ(got[4 * i + 3], (x - y).limbs()) << i;
  }
}

TYPED_TEST(DeviceFieldTest, LazyOperationsStayBelowTwiceTheModulusWithTheRightResidue) {
  BATON_SKIP_WITHOUT_DEVICE();
  using P = TypeParam;
  if constexpr (std::is_same_v<P, Bls12_381FrParams>) {
    GTEST_SKIP() << "no lazy form: 5p exceeds R";
  } else {
    auto a = field_samples<P>(2, kCount, 13);
    auto b = field_samples<P>(2, kCount, 14);
    std::rotate(b.begin(), b.begin() + 2, b.end());
    BigInt<P::kLimbs> twice;
    add_with_carry(twice, P::modulus(), P::modulus());
    const auto got = run<P>(a, b, true);
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_TRUE(got[i] < twice) << i;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Fp<P> x = residue<P>(a[i]);
      const Fp<P> y = residue<P>(b[i]);
      ASSERT_EQ(residue<P>(got[4 * i]), x * y) << i;
      ASSERT_EQ(residue<P>(got[4 * i + 1]), x.square()) << i;
      ASSERT_EQ(residue<P>(got[4 * i + 2]), x * y - y * y + y) << i;
      ASSERT_EQ(residue<P>(got[4 * i + 3]), i % 1024 == 0 ? x.inverse() : x - y) << i;
    }
  }
}

}  // namespace
}  // namespace baton::test
