#include <gtest/gtest.h>

#include <cuda_runtime_api.h>

#include <optional>
#include <vector>

#include "cuda/device/device_buffer.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/ntt/ntt_domain.hpp"
#include "shared/math/batch_inverse.hpp"
#include "shared/math/roots.hpp"
#include "tests/fixture/random_elements.hpp"
#include "tests/gpu/support/gpu_test.hpp"

namespace baton::test {
namespace {

std::uint32_t bit_reversed(std::uint32_t value, unsigned bits) {
  std::uint32_t result = 0;
  for (unsigned i = 0; i < bits; ++i) {
    result |= ((value >> i) & 1) << (bits - 1 - i);
  }
  return result;
}

template <class Fr>
Fr power(const Fr& base, std::uint64_t exponent) {
  return base.pow(BigInt<1>::from_u64(exponent));
}

template <class Fr>
std::vector<Fr> random_values(std::size_t count, std::uint64_t seed) {
  fixture::RandomElements random(seed);
  std::vector<Fr> values(count);
  for (Fr& value : values) {
    value = random.element<Fr>();
  }
  return values;
}

/// The polynomial with these values at the domain, at z outside of it.
template <class Fr>
Fr interpolated(const std::vector<Fr>& values, unsigned log_size, const Fr& z) {
  const Fr root = root_of_unity<Fr>(log_size);
  std::vector<Fr> inverses(values.size());
  Fr x = Fr::one();
  for (Fr& inverse : inverses) {
    inverse = z - x;
    x *= root;
  }
  batch_inverse(std::span<Fr>(inverses));
  x = Fr::one();
  Fr sum = Fr::zero();
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += values[i] * x * inverses[i];
    x *= root;
  }
  return (power(z, values.size()) - Fr::one()) * Fr::from_u64(values.size()).inverse() * sum;
}

/// A domain, a stream and three vectors on the device.
template <class Fr>
class Transforms {
 public:
  explicit Transforms(unsigned log_size) : log_size_(log_size) {
    auto stream = Stream::create();
    auto domain = NttDomain<Fr>::build(log_size, stream->get());
    EXPECT_TRUE(domain.is_ok()) << domain.status().to_string();
    stream_.emplace(std::move(stream).value());
    domain_.emplace(std::move(domain).value());
    for (auto& vector : vectors_) {
      auto buffer = DeviceBuffer::allocate(sizeof(Fr) << log_size);
      EXPECT_TRUE(buffer.is_ok());
      vector = std::move(buffer).value();
      EXPECT_EQ(cudaMemset(vector.data(), 0xa5, vector.size()), cudaSuccess);
    }
  }

  [[nodiscard]] const NttDomain<Fr>& domain() const { return *domain_; }
  [[nodiscard]] cudaStream_t stream() const { return stream_->get(); }
  [[nodiscard]] Fr* at(std::size_t i) const { return vectors_[i].template as<Fr>(); }

  void put(std::size_t i, const std::vector<Fr>& values) {
    EXPECT_EQ(cudaMemcpy(at(i), values.data(), sizeof(Fr) << log_size_, cudaMemcpyHostToDevice), cudaSuccess);
    // A copy from pageable memory may still be under way, and the stream does not wait for it.
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  [[nodiscard]] std::vector<Fr> get(std::size_t i) const {
    EXPECT_TRUE(stream_->synchronize().is_ok());
    std::vector<Fr> values(std::size_t{1} << log_size_);
    EXPECT_EQ(cudaMemcpy(values.data(), at(i), sizeof(Fr) << log_size_, cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }

 private:
  unsigned log_size_;
  std::optional<Stream> stream_;
  std::optional<NttDomain<Fr>> domain_;
  DeviceBuffer vectors_[3];
};

template <class Fr>
class CudaNtt : public testing::Test {};
using Fields = testing::Types<Bn254::Fr, Bls12_381::Fr>;
TYPED_TEST_SUITE(CudaNtt, Fields);

TYPED_TEST(CudaNtt, InverseGivesCoefficientsInReversedOrder) {
  BATON_SKIP_WITHOUT_DEVICE();
  using Fr = TypeParam;
  for (unsigned log_size = 3; log_size <= 10; ++log_size) {
    Transforms<Fr> sut(log_size);
    const auto values = random_values<Fr>(std::size_t{1} << log_size, log_size);
    sut.put(0, values);
    ASSERT_TRUE(sut.domain().inverse(sut.at(0), sut.at(1), sut.stream()).is_ok());
    const auto coefficients = sut.get(1);
    const Fr root = root_of_unity<Fr>(log_size).inverse();
    const Fr scale = Fr::from_u64(values.size()).inverse();
    for (std::uint32_t k = 0; k < values.size(); k += 1 + static_cast<std::uint32_t>(values.size() / 64)) {
      Fr sum = Fr::zero();
      Fr x = Fr::one();
      const Fr step = power(root, k);
      for (const Fr& value : values) {
        sum += value * x;
        x *= step;
      }
      ASSERT_EQ(coefficients[bit_reversed(k, log_size)], sum * scale) << log_size << ' ' << k;
    }
  }
}

TYPED_TEST(CudaNtt, CosetValuesAreThoseOfTheInterpolatedPolynomial) {
  BATON_SKIP_WITHOUT_DEVICE();
  using Fr = TypeParam;
  for (unsigned log_size = 1; log_size <= 20; ++log_size) {
    Transforms<Fr> sut(log_size);
    const auto values = random_values<Fr>(std::size_t{1} << log_size, log_size);
    sut.put(0, values);
    ASSERT_TRUE(sut.domain().to_coset(sut.at(0), sut.at(1), sut.stream()).is_ok());
    const auto found = sut.get(1);
    ASSERT_TRUE(sut.domain().to_coset(sut.at(0), sut.at(0), sut.stream()).is_ok());
    ASSERT_TRUE(sut.get(0) == found) << "in place, 2^" << log_size;
    const Fr odd_root = root_of_unity<Fr>(log_size + 1);
    const std::size_t size = values.size();
    const std::size_t step = log_size <= 10 ? 1 + size / 32 : 1 + size / 2;
    for (std::size_t i = 1 % size; i < size; i += step) {
      ASSERT_EQ(found[i], interpolated(values, log_size, power(odd_root, 2 * i + 1))) << log_size << ' ' << i;
    }
  }
}

TYPED_TEST(CudaNtt, ForwardUndoesInverse) {
  BATON_SKIP_WITHOUT_DEVICE();
  using Fr = TypeParam;
  for (const unsigned log_size : {3U, 6U, 9U, 10U, 12U, 15U, 16U, 17U, 18U, 21U, 22U}) {
    Transforms<Fr> sut(log_size);
    auto values = random_values<Fr>(std::size_t{1} << log_size, log_size);
    values[1] = Fr::zero();
    values[2] = -Fr::one();
    sut.put(0, values);
    ASSERT_TRUE(sut.domain().inverse(sut.at(0), sut.at(1), sut.stream()).is_ok());
    ASSERT_TRUE(sut.domain().forward(sut.at(1), sut.at(2), sut.stream()).is_ok());
    ASSERT_TRUE(sut.get(2) == values) << "2^" << log_size;
    ASSERT_TRUE(sut.domain().inverse(sut.at(2), sut.at(2), sut.stream()).is_ok());
    ASSERT_TRUE(sut.get(2) == sut.get(1)) << "in place, 2^" << log_size;
  }
}

TYPED_TEST(CudaNtt, IsLinearAndKeepsConstants) {
  BATON_SKIP_WITHOUT_DEVICE();
  using Fr = TypeParam;
  for (const unsigned log_size : {1U, 2U, 5U, 9U, 13U, 17U}) {
    Transforms<Fr> sut(log_size);
    const std::size_t size = std::size_t{1} << log_size;
    const auto x = random_values<Fr>(size, 1);
    const auto y = random_values<Fr>(size, 2);
    std::vector<Fr> sum(size);
    for (std::size_t i = 0; i < size; ++i) {
      sum[i] = x[i] + y[i];
    }
    const auto image = [&](const std::vector<Fr>& values) {
      sut.put(0, values);
      EXPECT_TRUE(sut.domain().to_coset(sut.at(0), sut.at(1), sut.stream()).is_ok());
      return sut.get(1);
    };
    const auto of_x = image(x);
    const auto of_y = image(y);
    const auto of_sum = image(sum);
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(of_sum[i], of_x[i] + of_y[i]);
    }
    const std::vector<Fr> constant(size, -Fr::one());
    ASSERT_TRUE(image(constant) == constant);
    const std::vector<Fr> zero(size, Fr::zero());
    ASSERT_TRUE(image(zero) == zero);
  }
}

TYPED_TEST(CudaNtt, FusedQuotientEqualsItsSteps) {
  BATON_SKIP_WITHOUT_DEVICE();
  using Fr = TypeParam;
  for (const unsigned log_size : {1U, 2U, 3U, 6U, 9U, 10U, 14U, 16U, 17U, 20U}) {
    Transforms<Fr> sut(log_size);
    const std::size_t size = std::size_t{1} << log_size;
    const auto a = random_values<Fr>(size, 11);
    const auto b = random_values<Fr>(size, 12);
    for (const bool derive_c : {true, false}) {
      auto c = random_values<Fr>(size, 13);
      for (std::size_t i = 0; derive_c && i < size; ++i) {
        c[i] = a[i] * b[i];
      }
      const auto image = [&](const std::vector<Fr>& values) {
        sut.put(0, values);
        EXPECT_TRUE(sut.domain().to_coset(sut.at(0), sut.at(0), sut.stream()).is_ok());
        return sut.get(0);
      };
      const auto at_a = image(a);
      const auto at_b = image(b);
      const auto at_c = image(c);
      std::vector<Fr> first;
      for (int run = 0; run < 2; ++run) {
        sut.put(0, a);
        sut.put(1, b);
        sut.put(2, derive_c ? random_values<Fr>(size, 99) : c);
        ASSERT_TRUE(sut.domain().quotient(sut.at(0), sut.at(1), sut.at(2), derive_c, sut.stream()).is_ok());
        const auto h = sut.get(2);
        for (std::size_t i = 0; i < size; ++i) {
          ASSERT_EQ(h[i].limbs(), (at_a[i] * at_b[i] - at_c[i]).to_canonical()) << log_size << ' ' << i;
        }
        ASSERT_TRUE(run == 0 || h == first);
        first = h;
      }
    }
  }
}

TYPED_TEST(CudaNtt, TheLargestSizeGoesThereAndBack) {
  BATON_SKIP_WITHOUT_DEVICE();
  using Fr = TypeParam;
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  ASSERT_EQ(cudaMemGetInfo(&free_bytes, &total_bytes), cudaSuccess);
  if (free_bytes < std::size_t{40} << 30) {
    GTEST_SKIP() << "less than 40 GiB of device memory free: not run";
  }
  constexpr unsigned kLogSize = 27;
  Transforms<Fr> sut(kLogSize);
  std::vector<Fr> values(std::size_t{1} << kLogSize);
  Fr x = Fr::from_u64(7);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = x;
    x = i % 2 == 0 ? x + x : x - Fr::from_u64(i);
  }
  sut.put(0, values);
  ASSERT_TRUE(sut.domain().inverse(sut.at(0), sut.at(1), sut.stream()).is_ok());
  ASSERT_TRUE(sut.domain().forward(sut.at(1), sut.at(2), sut.stream()).is_ok());
  ASSERT_TRUE(sut.get(2) == values);
}

TEST(CudaNttBounds, OtherSizesAreRefused) {
  BATON_SKIP_WITHOUT_DEVICE();
  EXPECT_EQ(NttDomain<Bn254::Fr>::build(0, nullptr).status().code(), StatusCode::kLimit);
  EXPECT_EQ(NttDomain<Bn254::Fr>::build(28, nullptr).status().code(), StatusCode::kLimit);
}

}  // namespace
}  // namespace baton::test
