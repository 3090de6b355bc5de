#include "cuda/prover/uploader.hpp"

#include <algorithm>
#include <cstring>

#include "cuda/device/cuda_status.hpp"
#include "shared/support/fault_point.hpp"

namespace baton {

namespace {

constexpr std::size_t kCopyPiece = std::size_t{16} << 20;
constexpr std::size_t kRingPiece = std::size_t{4} << 20;
constexpr std::size_t kRingPieces = 4;

}  // namespace

Result<Uploader> Uploader::create(const PinnedRanges& ranges, bool stage) {
  BATON_ASSIGN_OR_RETURN(HostBuffer ring, HostBuffer::allocate(kRingPiece * kRingPieces));
  std::vector<Event> passed;
  for (std::size_t i = 0; i < kRingPieces; ++i) {
    BATON_ASSIGN_OR_RETURN(Event event, Event::create(EventKind::kBlocking));
    passed.push_back(std::move(event));
  }
  return Uploader(ranges, stage, std::move(ring), std::move(passed));
}

Status Uploader::upload(std::span<const std::byte> from, std::byte* to, cudaStream_t stream) {
  if (from.empty()) {
    return {};
  }
  const PinnedRegion* region = ranges_->find(from);
  if (region == nullptr && stage_) {
    return upload_staged(from, to, stream);
  }
  if (region == nullptr) {
    return cuda_status(cudaMemcpyAsync(to, from.data(), from.size(), cudaMemcpyHostToDevice, stream),
                       "copy from pageable memory");
  }
  for (std::size_t done = 0; done < from.size(); done += kCopyPiece) {
    const std::size_t bytes = std::min(kCopyPiece, from.size() - done);
    BATON_RETURN_IF_ERROR(region->copy_async(to + done, from.subspan(done, bytes), stream));
    fault_point("cuda.copy_enqueued");
  }
  return {};
}

Status Uploader::upload_staged(std::span<const std::byte> from, std::byte* to, cudaStream_t stream) {
  for (std::size_t done = 0; done < from.size(); done += kRingPiece) {
    const std::size_t bytes = std::min(kRingPiece, from.size() - done);
    std::byte* piece = ring_.data() + next_ * kRingPiece;
    BATON_RETURN_IF_ERROR(passed_[next_].synchronize());
    std::memcpy(piece, from.data() + done, bytes);
    BATON_RETURN_IF_ERROR(cuda_status(
        cudaMemcpyAsync(to + done, piece, bytes, cudaMemcpyHostToDevice, stream), "copy from the ring"));
    BATON_RETURN_IF_ERROR(passed_[next_].record(stream));
    next_ = (next_ + 1) % kRingPieces;
    staged_bytes_ += bytes;
  }
  return {};
}

}  // namespace baton
