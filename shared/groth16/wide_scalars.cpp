#include "shared/groth16/wide_scalars.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "shared/groth16/msm_plan.hpp"

namespace baton {
namespace {

constexpr std::size_t kPiece = 8192;

bool is_wide(const std::byte* scalar) {
  static_assert(kNarrowBits == 64);
  std::array<std::uint64_t, 3> high{};
  std::memcpy(high.data(), scalar + 8, sizeof(high));
  return (high[0] | high[1] | high[2]) != 0;
}

}  // namespace

void WideScalars::find(std::span<const std::byte> scalars) {
  const std::size_t total = scalars.size() / kScalarBytes;
  const std::size_t pieces = (total + kPiece - 1) / kPiece;
  const auto for_each_wide = [&](std::size_t piece, const auto& action) {
    const std::size_t end = std::min(total, (piece + 1) * kPiece);
    for (std::size_t i = piece * kPiece; i < end; ++i) {
      if (is_wide(scalars.data() + i * kScalarBytes)) {
        action(static_cast<std::uint32_t>(i));
      }
    }
  };
  offsets_.assign(pieces + 1, 0);
  tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t piece) {
    std::size_t found = 0;
    for_each_wide(piece, [&](std::uint32_t) { ++found; });
    offsets_[piece + 1] = found;
  });
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    offsets_[piece + 1] += offsets_[piece];
  }
  count_ = offsets_.back();
  most_ = count_ > total / 2;
  listed_ = most_ ? 0 : count_;
  if (indices_.size() < listed_) {
    indices_.resize(listed_);
  }
  if (most_) {
    return;
  }
  tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t piece) {
    std::size_t next = offsets_[piece];
    for_each_wide(piece, [&](std::uint32_t index) { indices_[next++] = index; });
  });
}

}  // namespace baton
