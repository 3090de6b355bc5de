#pragma once

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "shared/groth16/bucket_sort.hpp"
#include "shared/groth16/msm.hpp"
#include "shared/groth16/msm_plan.hpp"
#include "shared/groth16/wide_scalars.hpp"
#include "shared/groth16/window_sum.hpp"

/// The body of Msm, for the two files that instantiate it.
namespace baton {

template <class Curve>
class Msm<Curve>::Impl {
 public:
  void compute(std::span<const MsmGroup<Curve>> groups) {
    prepare(groups);
    // A context works on one window at a time; idle threads help with its pieces.
    std::atomic<std::size_t> next = 0;
    const std::size_t active = std::min(
        {contexts_.size(), static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()), items_.size()});
    tbb::parallel_for(
        std::size_t{0}, active,
        [&](std::size_t context) {
          for (std::size_t i = next++; i < items_.size(); i = next++) {
            // Isolated: a thread that waits for pieces of its window must not take up another context.
            tbb::this_task_arena::isolate([&] { sum_window(groups, items_[i], *contexts_[context]); });
          }
        },
        tbb::simple_partitioner());
    for (std::size_t g = 0; g < groups.size(); ++g) {
      combine(groups[g].g1, states_[g].plan, states_[g].g1);
      combine(groups[g].g2, states_[g].plan, states_[g].g2);
    }
  }

 private:
  using G1 = typename Curve::G1Affine;
  using G2 = typename Curve::G2Affine;
  using G1Sum = typename Curve::G1Xyzz;
  using G2Sum = typename Curve::G2Xyzz;

  static constexpr std::size_t kMaxContexts = 4;

  struct Context {
    Context(RunAdders<G1>& g1_adders, RunAdders<G2>& g2_adders) : g1(g1_adders), g2(g2_adders) {}
    BucketSort sorted;
    WindowSum<G1, G1Sum> g1;
    WindowSum<G2, G2Sum> g2;
  };

  /// What is known of one group; sums are [term windows + window].
  struct GroupState {
    WideScalars wide;
    DigitPlan plan{kMinDigitWidth, 1};
    std::vector<G1Sum> g1;
    std::vector<G2Sum> g2;
  };

  struct Item {
    std::size_t group;
    unsigned window;
  };

  void prepare(std::span<const MsmGroup<Curve>> groups) {
    while (contexts_.size() < kMaxContexts) {
      contexts_.push_back(std::make_unique<Context>(g1_adders_, g2_adders_));
    }
    states_.resize(std::max(states_.size(), groups.size()));
    items_.clear();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      GroupState& state = states_[g];
      state.wide.find(groups[g].scalars);
      state.plan = choose_digit_plan(groups[g].scalars.size() / kScalarBytes, state.wide.count(),
                                     Curve::Fr::Constants::kBits);
      state.g1.assign(groups[g].g1.size() * state.plan.windows(), G1Sum::infinity());
      state.g2.assign(groups[g].g2.size() * state.plan.windows(), G2Sum::infinity());
      for (unsigned window = 0; window < state.plan.windows(); ++window) {
        items_.push_back({g, window});
      }
    }
  }

  void sum_window(std::span<const MsmGroup<Curve>> groups, const Item& item, Context& context) {
    const MsmGroup<Curve>& group = groups[item.group];
    GroupState& state = states_[item.group];
    const bool narrow_too = item.window < state.plan.windows_of_bits(kNarrowBits);
    if (narrow_too || state.wide.most()) {
      context.sorted.sort(state.plan, item.window, group.scalars);
    } else {
      context.sorted.sort(state.plan, item.window, group.scalars, state.wide.indices());
    }
    if (context.sorted.entries().empty()) {
      return;
    }
    sum_terms(group.g2, item.window, context.sorted, context.g2, state.plan, state.g2);
    sum_terms(group.g1, item.window, context.sorted, context.g1, state.plan, state.g1);
  }

  template <class Affine, class Sum>
  void sum_terms(const std::vector<MsmTerm<Affine>>& terms, unsigned window, const BucketSort& sorted,
                 WindowSum<Affine, Sum>& window_sum, const DigitPlan& plan, std::vector<Sum>& sums) {
    for (std::size_t t = 0; t < terms.size(); ++t) {
      const auto start = std::chrono::steady_clock::now();
      sums[t * plan.windows() + window] = window_sum.compute(sorted, terms[t].table);
      if (terms[t].work_ns != nullptr) {
        *terms[t].work_ns += (std::chrono::steady_clock::now() - start) / std::chrono::nanoseconds(1);
      }
    }
  }

  /// result = sum 2^(width window) sums[window].
  template <class Affine, class Sum>
  static void combine(const std::vector<MsmTerm<Affine>>& terms, const DigitPlan& plan,
                      const std::vector<Sum>& sums) {
    tbb::parallel_for(std::size_t{0}, terms.size(), [&](std::size_t t) {
      Sum total = Sum::infinity();
      for (unsigned window = plan.windows(); window != 0; --window) {
        for (unsigned bit = 0; bit < plan.width(); ++bit) {
          total = total.doubled();
        }
        total = total + sums[t * plan.windows() + window - 1];
      }
      *terms[t].result = total.to_affine();
    });
  }

  RunAdders<G1> g1_adders_;
  RunAdders<G2> g2_adders_;
  std::vector<std::unique_ptr<Context>> contexts_;
  std::vector<GroupState> states_;
  std::vector<Item> items_;
};

template <class Curve>
Msm<Curve>::Msm() : impl_(std::make_unique<Impl>()) {}

template <class Curve>
Msm<Curve>::~Msm() = default;

template <class Curve>
void Msm<Curve>::compute(std::span<const MsmGroup<Curve>> groups) {
  impl_->compute(groups);
}

}  // namespace baton
