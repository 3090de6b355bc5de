#include "cuda/msm/digits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cuda/msm/tasks.hpp"
#include "shared/math/bn254_params.hpp"
#include "tests/gpu/support/gpu_test.hpp"
#include "tests/gpu/support/msm_runner.hpp"

namespace baton::test {
namespace {

using Scalar = BigInt<4>;

template <class T>
std::vector<T> to_host(const T* device, std::size_t count) {
  std::vector<T> host(count);
  EXPECT_EQ(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
  return host;
}

/// (bucket, entry) of every digit, by the definition.
std::vector<std::pair<std::uint32_t, std::uint32_t>> expected_entries(const std::vector<Scalar>& scalars,
                                                                      const MsmWindows& w,
                                                                      unsigned index_bits) {
  const Scalar r = Bn254FrParams::modulus();
  const Scalar half = shifted_right(r, 1);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
  for (std::uint32_t i = 0; i < scalars.size(); ++i) {
    Scalar s = scalars[i];
    const bool negative = half < s;
    if (negative) {
      sub_with_borrow(s, r, s);
    }
    std::int64_t carry = 0;
    for (unsigned window = 0; window < w.windows(); ++window) {
      std::int64_t digit = static_cast<std::int64_t>(s.bits(window * w.window_bits, w.window_bits)) + carry;
      carry = digit > (std::int64_t{1} << (w.window_bits - 1)) ? 1 : 0;
      digit -= carry << w.window_bits;
      if (digit != 0) {
        const auto magnitude = static_cast<std::uint32_t>(digit < 0 ? -digit : digit);
        const std::uint32_t bucket = (window % w.groups()) * w.buckets_per_group() + magnitude - 1;
        const std::uint32_t sign = (digit < 0) != negative ? 0x80000000U : 0;
        result.emplace_back(bucket, sign | ((window / w.groups()) << index_bits) | i);
      }
    }
    EXPECT_EQ(carry, 0);
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// The bucket of every item of a level, from the level before.
using Owners = std::vector<std::uint32_t>;

/// Checks that the tasks of a level cover every item once, each within one bucket and none longer than the
/// one before; counts the buckets that were written and returns the owners of what is left to the next level.
Owners check_level(const TaskLevel& level, const Owners& owner, std::vector<int>& written) {
  const std::uint32_t total = to_host(level.total, 1)[0];
  EXPECT_LE(total, level.task_capacity);
  std::vector<int> covered(owner.size(), 0);
  Owners next;
  std::uint32_t before = ~0U;
  for (const MsmTask& task : to_host(level.tasks, total)) {
    EXPECT_TRUE(task.length > 0 && (task.length <= before || level.partial_capacity == 0));
    before = task.length;
    const std::uint32_t bucket = owner.at(task.begin);
    for (std::uint32_t i = 0; i < task.length; ++i) {
      EXPECT_EQ(owner.at(task.begin + i), bucket);
      ++covered[task.begin + i];
    }
    if ((task.destination & MsmTask::kPartial) == 0) {
      EXPECT_EQ(task.destination, bucket);
      ++written[bucket];
    } else {
      const std::uint32_t place = task.destination & ~MsmTask::kPartial;
      EXPECT_LT(place, level.partial_capacity);
      next.resize(std::max<std::size_t>(next.size(), place + 1), ~0U);
      EXPECT_EQ(next[place], ~0U);
      next[place] = bucket;
    }
  }
  EXPECT_EQ(std::count(covered.begin(), covered.end(), 1), static_cast<std::ptrdiff_t>(owner.size()));
  return next;
}

void check_tasks(const MsmWindows& w, const std::uint32_t* device_offsets,
                 const std::vector<std::uint32_t>& offsets, std::uint32_t capacity, cudaStream_t stream) {
  const auto plan = TaskPlan::plan(w.buckets(), capacity);
  ASSERT_TRUE(plan.is_ok());
  const auto arena = Arena::create(plan->bytes());
  ASSERT_TRUE(arena.is_ok());
  ArenaView view = arena->view();
  const auto set = plan->run(device_offsets, view, stream);
  ASSERT_TRUE(set.is_ok());
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  Owners owner(offsets.back());
  for (std::uint32_t b = 0; b < w.buckets(); ++b) {
    std::fill(owner.begin() + offsets[b], owner.begin() + offsets[b + 1], b);
  }
  std::vector<int> written(w.buckets(), 0);
  owner = check_level(set->entries, owner, written);
  owner = check_level(set->partials, owner, written);
  owner = check_level(set->huge, owner, written);
  ASSERT_TRUE(owner.empty());
  for (std::uint32_t b = 0; b < w.buckets(); ++b) {
    ASSERT_EQ(written[b], offsets[b] != offsets[b + 1] ? 1 : 0);
  }
}

void check(const std::vector<Scalar>& scalars, const MsmWindows& w, DigitDensity density) {
  const auto sort = DigitSort::plan(w, static_cast<std::uint32_t>(scalars.size()),
                                    ScalarModulus::of<Bn254FrParams>(), density);
  ASSERT_TRUE(sort.is_ok());
  const auto device = to_device(std::as_bytes(std::span(scalars)));
  const auto stream = Stream::create();
  const auto arena = Arena::create(sort->bytes());
  ASSERT_TRUE(device.is_ok() && stream.is_ok() && arena.is_ok());
  ArenaView view = arena->view();
  const auto digits = sort->run(device->data(), view, stream->get());
  ASSERT_TRUE(digits.is_ok());
  ASSERT_TRUE(stream->synchronize().is_ok());
  const auto expected = expected_entries(scalars, w, digits->index_bits);
  const auto offsets = to_host(digits->offsets, w.buckets() + 1);
  ASSERT_EQ(offsets.back(), expected.size());
  const auto entries = to_host(digits->entries, expected.size());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> got;
  for (std::uint32_t b = 0; b < w.buckets(); ++b) {
    ASSERT_LE(offsets[b], offsets[b + 1]);
    for (std::uint32_t i = offsets[b]; i < offsets[b + 1]; ++i) {
      got.emplace_back(b, entries[i]);
    }
  }
  std::sort(got.begin(), got.end());
  ASSERT_EQ(got, expected);

  check_tasks(w, digits->offsets, offsets, digits->capacity, stream->get());
}

TEST(DigitsTest, EntriesAndTasksAgreeWithTheDefinition) {
  BATON_SKIP_WITHOUT_DEVICE();
  std::mt19937_64 random(3);
  std::vector<Scalar> dense(3000);
  for (Scalar& s : dense) {
    for (std::uint64_t& limb : s.limbs) {
      limb = random();
    }
    s.limbs[3] %= Bn254FrParams::modulus().limbs[3];
  }
  const std::vector<Scalar> ones(50000, Scalar::from_u64(1));
  for (const MsmWindows& w : {MsmWindows{254, 8, 1}, MsmWindows{254, 11, 4}, MsmWindows{254, 13, 20}}) {
    for (const DigitDensity density : {DigitDensity::kSparse, DigitDensity::kDense}) {
      check(dense, w, density);
      check(ones, w, density);
      check({}, w, density);
      check(std::vector<Scalar>(3, dense[0]), w, density);
    }
  }
}

TEST(DigitsTest, TooManyScalarsForAnEntryAreRefused) {
  BATON_SKIP_WITHOUT_DEVICE();
  const auto sort = DigitSort::plan(MsmWindows{254, 22, 12}, 1U << 29, ScalarModulus::of<Bn254FrParams>());
  ASSERT_FALSE(sort.is_ok());
  EXPECT_EQ(sort.status().code(), StatusCode::kLimit);
}

}  // namespace
}  // namespace baton::test
