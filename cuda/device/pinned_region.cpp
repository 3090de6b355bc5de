#include "cuda/device/pinned_region.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <system_error>
#include <thread>

#include "cuda/device/cuda_status.hpp"
#include "shared/support/fault_point.hpp"

namespace baton {

namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kPieceAlignment = std::size_t{2} << 20;

std::size_t piece_size(std::size_t bytes, const PinOptions& options) {
  const std::size_t threads = std::max(1U, options.threads);
  std::size_t piece = std::max((bytes + threads - 1) / threads, options.min_piece_bytes);
  piece = (piece + kPieceAlignment - 1) / kPieceAlignment * kPieceAlignment;
  return std::max(std::min(piece, options.max_piece_bytes / kPageBytes * kPageBytes), kPageBytes);
}

std::span<const std::byte> piece_of(std::span<const std::byte> range, std::size_t piece_bytes,
                                    std::size_t index) {
  const std::size_t begin = index * piece_bytes;
  return range.subspan(begin, std::min(piece_bytes, range.size() - begin));
}

void* mutable_address(std::span<const std::byte> piece) {
  return const_cast<std::byte*>(piece.data());
}

/// Registers every piece, `threads` at a time; undoes all of them when one fails.
cudaError_t register_pieces(std::span<const std::byte> range, std::size_t piece_bytes, unsigned threads,
                            unsigned flags) {
  const std::size_t pieces = (range.size() + piece_bytes - 1) / piece_bytes;
  std::vector<cudaError_t> outcome(pieces, cudaErrorNotReady);
  std::atomic<std::size_t> next{0};
  int device = 0;
  cudaError_t first = cudaGetDevice(&device);
  if (first != cudaSuccess) {
    return first;
  }
  const auto work = [&] {
    (void)cudaSetDevice(device);
    for (std::size_t i = next++; i < pieces; i = next++) {
      const std::span<const std::byte> piece = piece_of(range, piece_bytes, i);
      outcome[i] = cudaHostRegister(mutable_address(piece), piece.size(), flags);
      if (outcome[i] != cudaSuccess) {
        (void)cudaGetLastError();
      }
    }
  };
  std::vector<std::thread> helpers;
  try {
    for (std::size_t i = 1; i < std::min<std::size_t>(threads, pieces); ++i) {
      helpers.emplace_back(work);
    }
  } catch (const std::system_error&) {
    // Fewer helpers: this thread does what they would have done.
  }
  work();
  for (std::thread& helper : helpers) {
    helper.join();
  }
  const auto failed =
      std::find_if(outcome.begin(), outcome.end(), [](cudaError_t e) { return e != cudaSuccess; });
  if (failed == outcome.end()) {
    return cudaSuccess;
  }
  for (std::size_t i = pieces; i-- > 0;) {
    if (outcome[i] == cudaSuccess && cudaHostUnregister(mutable_address(piece_of(range, piece_bytes, i)))) {
      (void)cudaGetLastError();
    }
  }
  return *failed;
}

}  // namespace

Result<PinnedRegion> PinnedRegion::pin(std::span<const std::byte> range, const PinOptions& options) {
  if (range.empty() || reinterpret_cast<std::uintptr_t>(range.data()) % kPageBytes != 0) {
    return invalid_input("register host memory: expected a page-aligned range that is not empty");
  }
  if (fault_point("cuda.register") == FaultAction::kError) {
    return cuda_status(cudaErrorNotSupported,
                       "register " + std::to_string(range.size()) + " bytes of host memory");
  }
  const std::size_t piece_bytes = piece_size(range.size(), options);
  const cudaError_t read_only = register_pieces(range, piece_bytes, options.threads,
                                                cudaHostRegisterPortable | cudaHostRegisterReadOnly);
  if (read_only == cudaSuccess) {
    return PinnedRegion(range, piece_bytes, PinMode::kReadOnly);
  }
  const std::string what = "register " + std::to_string(range.size()) + " bytes of host memory";
  if (cuda_status_code(read_only) == StatusCode::kGpuSticky) {
    return cuda_status(read_only, what);
  }
  const cudaError_t read_write =
      register_pieces(range, piece_bytes, options.threads, cudaHostRegisterPortable);
  if (read_write == cudaSuccess) {
    return PinnedRegion(range, piece_bytes, PinMode::kReadWrite);
  }
  return cuda_status(read_write, what + " (read-only: " + cudaGetErrorName(read_only) + ")");
}

PinnedRegion::~PinnedRegion() {
  if (range_.empty()) {
    return;
  }
  for (std::size_t i = (range_.size() + piece_bytes_ - 1) / piece_bytes_; i-- > 0;) {
    if (cudaHostUnregister(mutable_address(piece_of(range_, piece_bytes_, i))) != cudaSuccess) {
      (void)cudaGetLastError();
    }
  }
}

Status PinnedRegion::copy_async(std::byte* destination, std::span<const std::byte> part,
                                cudaStream_t stream) const {
  if (!contains(part)) {
    return internal_error("copy from a registered range: the part lies outside it");
  }
  auto offset = static_cast<std::size_t>(part.data() - range_.data());
  for (std::size_t done = 0; done < part.size();) {
    const std::size_t left_in_piece = piece_bytes_ - offset % piece_bytes_;
    const std::size_t bytes = std::min(left_in_piece, part.size() - done);
    BATON_RETURN_IF_ERROR(cuda_status(
        cudaMemcpyAsync(destination + done, part.data() + done, bytes, cudaMemcpyHostToDevice, stream),
        "copy from registered memory"));
    done += bytes;
    offset += bytes;
  }
  return {};
}

}  // namespace baton
