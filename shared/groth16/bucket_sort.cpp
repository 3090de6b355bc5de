#include "shared/groth16/bucket_sort.hpp"

#include <cstdlib>

namespace baton {

template <class IndexAt>
void BucketSort::sort_indices(const DigitPlan& plan, unsigned window, const std::byte* scalars,
                              std::size_t count, const IndexAt& index_at) {
  if (digits_.size() < count) {
    digits_.resize(count);
  }
  // starts_[d] counts the digits of absolute value d, then is the end of their bucket, d - 1.
  starts_.assign(plan.buckets() + 1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t digit = plan.digit(scalars + kScalarBytes * index_at(i), window);
    digits_[i] = digit;
    ++starts_[static_cast<std::size_t>(std::abs(digit))];
  }
  starts_[0] = 0;  // zero digits are in no bucket
  for (std::size_t b = 1; b < starts_.size(); ++b) {
    starts_[b] += starts_[b - 1];
  }
  used_ = starts_.back();
  if (entries_.size() < used_) {
    entries_.resize(used_);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t digit = digits_[i];
    if (digit != 0) {
      entries_[starts_[static_cast<std::size_t>(std::abs(digit)) - 1]++] =
          BucketEntry::make(index_at(i), digit < 0);
    }
  }
  // Each start has moved to the end of its bucket, where the next one starts.
  for (std::size_t b = starts_.size() - 1; b > 0; --b) {
    starts_[b] = starts_[b - 1];
  }
  starts_[0] = 0;
}

void BucketSort::sort(const DigitPlan& plan, unsigned window, std::span<const std::byte> scalars) {
  sort_indices(plan, window, scalars.data(), scalars.size() / kScalarBytes,
               [](std::size_t i) { return static_cast<std::uint32_t>(i); });
}

void BucketSort::sort(const DigitPlan& plan, unsigned window, std::span<const std::byte> scalars,
                      std::span<const std::uint32_t> subset) {
  sort_indices(plan, window, scalars.data(), subset.size(), [&](std::size_t i) { return subset[i]; });
}

}  // namespace baton
