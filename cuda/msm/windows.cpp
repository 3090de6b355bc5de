#include "cuda/msm/windows.hpp"

#include <algorithm>
#include <limits>

namespace baton {

namespace {

constexpr unsigned kMinWindowBits = 4;
constexpr unsigned kMaxWindowBits = 24;
/// Additions that one bucket costs in the reduction, in units of mixed additions.
constexpr double kBucketCost = 4.0;

double cost(const MsmWindows& windows, const MsmDemand& demand) {
  const double digits = static_cast<double>(demand.scalars) * demand.dense_share * windows.windows();
  return digits + kBucketCost * demand.bucket_sets * windows.buckets();
}

}  // namespace

MsmWindows choose_windows(const MsmDemand& demand) {
  const std::size_t one_table = std::max<std::size_t>(1, demand.points * demand.affine_bytes);
  const auto affordable = static_cast<unsigned>(
      std::clamp<std::size_t>(demand.table_budget_bytes / one_table, 1, demand.scalar_bits));
  MsmWindows best{demand.scalar_bits, kMinWindowBits, 1};
  double best_cost = std::numeric_limits<double>::max();
  for (unsigned bits = kMinWindowBits; bits <= kMaxWindowBits; ++bits) {
    MsmWindows candidate{demand.scalar_bits, bits, 1};
    const unsigned wanted = std::min(affordable, candidate.windows());
    // As few tables as give that number of groups.
    const unsigned groups = (candidate.windows() + wanted - 1) / wanted;
    candidate.tables = (candidate.windows() + groups - 1) / groups;
    const double candidate_cost = cost(candidate, demand);
    if (candidate_cost < best_cost) {
      best_cost = candidate_cost;
      best = candidate;
    }
  }
  return best;
}

}  // namespace baton
