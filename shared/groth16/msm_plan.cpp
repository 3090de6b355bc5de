#include "shared/groth16/msm_plan.hpp"

#include <cmath>
#include <limits>

namespace baton {
namespace {

// Costs in field multiplications, as measured for G1 of BN254.
constexpr double kAffineAddition = 6.5;
constexpr double kLineStep = 24;  // one mixed and one full addition
constexpr double kInversion = 150;
constexpr double kBucketVisit = 0.5;

/// The work on one window with `entries` evenly spread digits in `buckets` buckets.
double window_cost(double entries, double buckets) {
  if (entries == 0) {
    return 0;
  }
  const double used = buckets * -std::expm1(-entries / buckets);
  const double rounds = std::log2(1 + entries / used) + std::log2(buckets) + 4;
  return (entries + used) * kAffineAddition + rounds * kInversion + 2 * std::sqrt(buckets) * kLineStep +
         buckets * kBucketVisit;
}

}  // namespace

DigitPlan choose_digit_plan(std::size_t count, std::size_t wide, unsigned scalar_bits) {
  DigitPlan best(kMinDigitWidth, scalar_bits);
  double best_cost = std::numeric_limits<double>::infinity();
  for (unsigned width = kMinDigitWidth; width <= kMaxDigitWidth; ++width) {
    const DigitPlan plan(width, scalar_bits);
    const unsigned narrow = plan.windows_of_bits(kNarrowBits);
    const auto buckets = static_cast<double>(plan.buckets());
    const double cost = window_cost(static_cast<double>(count), buckets) * narrow +
                        window_cost(static_cast<double>(wide), buckets) * (plan.windows() - narrow);
    if (cost < best_cost) {
      best_cost = cost;
      best = plan;
    }
  }
  return best;
}

}  // namespace baton
