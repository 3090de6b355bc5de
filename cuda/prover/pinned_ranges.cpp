#include "cuda/prover/pinned_ranges.hpp"

#include <algorithm>
#include <utility>

namespace baton {

class PinnedRanges::Range final : public RegisteredRange {
 public:
  Range(PinnedRanges& owner, PinnedRegion region) noexcept : owner_(owner), region_(std::move(region)) {}
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
  ~Range() override { owner_.remove(&region_); }

  [[nodiscard]] const PinnedRegion* region() const noexcept { return &region_; }

 private:
  PinnedRanges& owner_;
  PinnedRegion region_;
};

Result<std::unique_ptr<RegisteredRange>> PinnedRanges::add(std::span<const std::byte> range) {
  Result<PinnedRegion> region = PinnedRegion::pin(range);
  if (!region.is_ok()) {
    const StatusCode code = region.status().code();
    if (code == StatusCode::kGpuSticky || code == StatusCode::kInvalidInput) {
      return std::move(region).status();
    }
    const std::lock_guard lock(mutex_);
    ++refused_;
    return std::make_unique<RegisteredRange>();
  }
  auto result = std::make_unique<Range>(*this, std::move(region).value());
  const std::lock_guard lock(mutex_);
  regions_.push_back(result->region());
  return std::unique_ptr<RegisteredRange>(std::move(result));
}

const PinnedRegion* PinnedRanges::find(std::span<const std::byte> part) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(regions_.begin(), regions_.end(),
                                  [&](const PinnedRegion* region) { return region->contains(part); });
  return found == regions_.end() ? nullptr : *found;
}

PinnedRanges::Counts PinnedRanges::counts() const {
  const std::lock_guard lock(mutex_);
  return {regions_.size(), refused_};
}

void PinnedRanges::remove(const PinnedRegion* region) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase(regions_, region);
}

}  // namespace baton
