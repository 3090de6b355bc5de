#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "cuda/device/arena.hpp"
#include "cuda/msm/msm.hpp"
#include "cuda/prover/lane.hpp"
#include "shared/groth16/prover_backend.hpp"
#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "shared/support/result.hpp"

namespace baton {

template <class Curve>
struct CurveGroups;
template <>
struct CurveGroups<Bn254> {
  using G1 = Bn254G1Group;
  using G2 = Bn254G2Group;
};
template <>
struct CurveGroups<Bls12_381> {
  using G1 = Bls12_381G1Group;
  using G2 = Bls12_381G2Group;
};

/// How the sums of one key are computed, and where everything lies in a lane's part of the arena.
template <class Curve>
struct ProofPlan {
  using Fr = typename Curve::Fr;
  using G1 = typename CurveGroups<Curve>::G1;
  using G2 = typename CurveGroups<Curve>::G2;

  MsmWindows windows;  ///< of all five sums: L and H share buckets, the others share digits with L
  std::uint32_t n_vars;
  std::uint32_t domain_size;
  DigitSort w_sort;
  DigitSort h_sort;
  DigitFilter w_filter;
  DigitFilter h_filter;
  Msm<G1> g1;
  Msm<G1> ch;
  Msm<G2> g2;

  static Result<ProofPlan> make(const ProvingKeyView& key, std::size_t table_bytes);

  /// Device memory of one proof. `c` becomes h. The views are used by one stream each.
  struct Layout {
    std::byte* w;
    Fr* a;
    Fr* b;
    Fr* c;
    GroupXyzz<G1>* a_sums;
    GroupXyzz<G1>* b1_sums;
    GroupXyzz<G1>* ch_sums;
    GroupXyzz<G2>* b2_sums;
    ArenaView for_sums;
    ArenaView for_quotient;
  };
  [[nodiscard]] Layout layout(ArenaView part) const { return carve(part); }
  [[nodiscard]] std::size_t lane_bytes() const {
    ArenaView count;
    (void)carve(count);
    return count.used();
  }

  /// Where the sums arrive on the host.
  struct HostSums {
    const GroupXyzz<G2>* b2;
    const GroupXyzz<G1>* a;
    const GroupXyzz<G1>* b1;
    const GroupXyzz<G1>* ch;
  };
  [[nodiscard]] HostSums host_sums(const std::byte* results) const {
    const std::size_t sums = msm_sums(windows);
    const auto* b2 = reinterpret_cast<const GroupXyzz<G2>*>(results);
    const auto* a = reinterpret_cast<const GroupXyzz<G1>*>(b2 + sums);
    return {b2, a, a + sums, a + 2 * sums};
  }

 private:
  Layout carve(ArenaView& view) const {
    Layout at{};
    at.w = view.take<std::byte>(std::size_t{n_vars} * 32);
    at.a = view.take<Fr>(domain_size);
    at.b = view.take<Fr>(domain_size);
    at.c = view.take<Fr>(domain_size);
    const std::size_t sums = msm_sums(windows);
    at.b2_sums = view.take<GroupXyzz<G2>>(sums);
    at.a_sums = view.take<GroupXyzz<G1>>(sums);
    at.b1_sums = view.take<GroupXyzz<G1>>(sums);
    at.ch_sums = view.take<GroupXyzz<G1>>(sums);
    const std::size_t sums_bytes = w_sort.bytes() + w_filter.bytes() + std::max(g1.bytes(), g2.bytes());
    const std::size_t quotient_bytes = h_sort.bytes() + h_filter.bytes() + w_filter.bytes() + ch.bytes();
    at.for_sums = {view.take<std::byte>(sums_bytes), sums_bytes};
    at.for_quotient = {view.take<std::byte>(quotient_bytes), quotient_bytes};
    return at;
  }
};

template <class Curve>
Result<ProofPlan<Curve>> ProofPlan<Curve>::make(const ProvingKeyView& key, std::size_t table_bytes) {
  const std::size_t g1_points =
      (key.a.size() + key.b1.size() + key.c.size() + key.h.size()) / sizeof(typename Curve::G1Affine);
  const std::size_t points = g1_points + key.b2.size() / sizeof(typename Curve::G2Affine);
  const std::size_t section_bytes =
      key.a.size() + key.b1.size() + key.b2.size() + key.c.size() + key.h.size();
  MsmDemand demand;
  demand.scalar_bits = G1::kScalarBits;
  demand.scalars = std::max(key.n_vars, key.domain_size);
  // The dense sum of h, and those of a witness with 15 % of its digits; A, B1, C with H, and B2 in G2.
  demand.dense_share = 1.8;
  demand.bucket_sets = 5.6;
  demand.points = points;
  demand.affine_bytes = (section_bytes + points - 1) / points;
  demand.table_budget_bytes = table_bytes;
  const MsmWindows windows = choose_windows(demand);
  constexpr ScalarModulus modulus = ScalarModulus::of<typename Fr::Params>();
  BATON_ASSIGN_OR_RETURN(const DigitSort w_sort, DigitSort::plan(windows, key.n_vars, modulus));
  BATON_ASSIGN_OR_RETURN(const DigitSort h_sort,
                         DigitSort::plan(windows, key.domain_size, modulus, DigitDensity::kDense));
  BATON_ASSIGN_OR_RETURN(const DigitFilter w_filter, DigitFilter::plan(w_sort));
  BATON_ASSIGN_OR_RETURN(const DigitFilter h_filter, DigitFilter::plan(h_sort));
  BATON_ASSIGN_OR_RETURN(Msm<G1> g1, Msm<G1>::plan(windows, w_sort.capacity()));
  BATON_ASSIGN_OR_RETURN(Msm<G1> ch, Msm<G1>::plan(windows, std::max(w_sort.capacity(), h_sort.capacity())));
  BATON_ASSIGN_OR_RETURN(Msm<G2> g2, Msm<G2>::plan(windows, w_sort.capacity()));
  const std::size_t result_bytes = msm_sums(windows) * (3 * sizeof(GroupXyzz<G1>) + sizeof(GroupXyzz<G2>));
  if (result_bytes > Lane::kResultBytes) {
    return internal_error("proof plan: more sums than the lane's result memory holds");
  }
  return ProofPlan{windows,  key.n_vars, key.domain_size, w_sort,        h_sort,
                   w_filter, h_filter,   std::move(g1),   std::move(ch), std::move(g2)};
}

}  // namespace baton
