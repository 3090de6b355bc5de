#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

#include "cuda/device/cuda_status.hpp"
#include "cuda/device/event.hpp"
#include "cuda/device/pinned_region.hpp"
#include "tests/gpu/support/gpu_test.hpp"
#include "tests/gpu/support/msm_runner.hpp"

namespace baton::test {
namespace {

/// An anonymous mapping filled with a pattern, then made read-only.
class Mapping {
 public:
  explicit Mapping(std::size_t bytes) : bytes_(bytes) {
    data_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    auto* words = static_cast<std::uint32_t*>(data_);
    for (std::size_t i = 0; i < bytes / 4; ++i) {
      words[i] = static_cast<std::uint32_t>(i * 2654435761U);
    }
    EXPECT_EQ(mprotect(data_, bytes, PROT_READ), 0);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { munmap(data_, bytes_); }
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(data_), bytes_};
  }

 private:
  void* data_;
  std::size_t bytes_;
};

TEST(PinnedRegionTest, CopiesAcrossPiecesOfAReadOnlyMapping) {
  BATON_SKIP_WITHOUT_DEVICE();
  const Mapping mapping(std::size_t{24} << 20);
  PinOptions options;
  options.min_piece_bytes = std::size_t{4} << 20;
  options.threads = 4;
  const auto pinned = PinnedRegion::pin(mapping.bytes(), options);
  ASSERT_TRUE(pinned.is_ok()) << pinned.status().to_string();
  const std::span<const std::byte> part = mapping.bytes().subspan(12345 * 4, std::size_t{20} << 20);
  const auto stream = Stream::create();
  const auto buffer = DeviceBuffer::allocate(part.size());
  ASSERT_TRUE(stream.is_ok() && buffer.is_ok());
  ASSERT_TRUE(pinned->copy_async(buffer->data(), part, stream->get()).is_ok());
  ASSERT_TRUE(stream->synchronize().is_ok());
  std::vector<std::byte> back(part.size());
  ASSERT_EQ(cudaMemcpy(back.data(), buffer->data(), back.size(), cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(std::memcmp(back.data(), part.data(), part.size()), 0);
}

TEST(PinnedRegionTest, RegistersTheSameRangeAgainAfterRelease) {
  BATON_SKIP_WITHOUT_DEVICE();
  const Mapping mapping(std::size_t{8} << 20);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(PinnedRegion::pin(mapping.bytes()).is_ok());
  }
}

TEST(PinnedRegionTest, ARangeRegisteredTwiceFailsAndLeavesNoPendingError) {
  BATON_SKIP_WITHOUT_DEVICE();
  const Mapping mapping(std::size_t{8} << 20);
  const auto first = PinnedRegion::pin(mapping.bytes());
  ASSERT_TRUE(first.is_ok());
  const auto second = PinnedRegion::pin(mapping.bytes());
  ASSERT_FALSE(second.is_ok());
  EXPECT_EQ(second.status().code(), StatusCode::kGpuTransient);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST(PinnedRegionTest, AnUnalignedRangeIsRefused) {
  BATON_SKIP_WITHOUT_DEVICE();
  const Mapping mapping(std::size_t{1} << 20);
  EXPECT_EQ(PinnedRegion::pin(mapping.bytes().subspan(16)).status().code(), StatusCode::kInvalidInput);
}

TEST(DeviceBufferTest, MoreThanTheDeviceHasIsNoSpaceAndLeavesNoPendingError) {
  BATON_SKIP_WITHOUT_DEVICE();
  const auto buffer = DeviceBuffer::allocate(std::size_t{1} << 46);
  ASSERT_FALSE(buffer.is_ok());
  EXPECT_EQ(buffer.status().code(), StatusCode::kNoSpace);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST(DeviceInfoTest, ADeviceIsFoundByItsUuidAndAWrongOneNamesThoseThatExist) {
  BATON_SKIP_WITHOUT_DEVICE();
  const auto first = find_device("");
  ASSERT_TRUE(first.is_ok());
  const auto again = find_device(first->uuid);
  ASSERT_TRUE(again.is_ok());
  EXPECT_EQ(again->index, first->index);
  const auto wrong = find_device("GPU-00000000");
  ASSERT_FALSE(wrong.is_ok());
  EXPECT_NE(wrong.status().message().find(first->uuid), std::string::npos);
}

TEST(ArenaTest, CountingAndCarvingTakeTheSameBytes) {
  const auto layout = [](ArenaView& view) {
    view.take<std::uint32_t>(3);
    view.take<std::uint64_t>(100);
  };
  ArenaView count;
  layout(count);
  std::vector<std::byte> memory(count.used());
  ArenaView exact(memory.data(), memory.size());
  layout(exact);
  EXPECT_FALSE(exact.overflowed());
  ArenaView small(memory.data(), memory.size() - 1);
  layout(small);
  EXPECT_TRUE(small.overflowed());
}

}  // namespace
}  // namespace baton::test
