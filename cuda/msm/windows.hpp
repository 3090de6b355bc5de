#pragma once

#include <cstddef>
#include <cstdint>

namespace baton {

/// How scalars are cut into signed digits, and which multiples of the fixed points stand in tables.
///
/// A scalar of b bits has W = ceil(b / c) digits d_w in [-2^(c-1), 2^(c-1)], after s > r/2 was replaced by
/// -(r - s). The windows fall into `groups` = ceil(W / k) bucket sets: window w = j * groups + g uses table
/// j, which holds 2^(c * groups * j) P, and bucket set g. With k = W there is one bucket set and no doubling
/// is left for the end.
struct MsmWindows {
  unsigned scalar_bits = 254;
  unsigned window_bits = 16;  ///< c
  unsigned tables = 1;        ///< k

  [[nodiscard]] constexpr unsigned windows() const noexcept {
    return (scalar_bits + window_bits - 1) / window_bits;
  }
  [[nodiscard]] constexpr unsigned groups() const noexcept { return (windows() + tables - 1) / tables; }
  [[nodiscard]] constexpr unsigned doublings_between_tables() const noexcept {
    return window_bits * groups();
  }
  [[nodiscard]] constexpr std::uint32_t buckets_per_group() const noexcept {
    return std::uint32_t{1} << (window_bits - 1);
  }
  [[nodiscard]] constexpr std::uint32_t buckets() const noexcept { return groups() * buckets_per_group(); }

  friend bool operator==(const MsmWindows&, const MsmWindows&) = default;
};

/// What a choice of windows is made for.
struct MsmDemand {
  unsigned scalar_bits = 254;
  std::uint64_t scalars = 0;
  double dense_share = 1.0;  ///< digits there are, over scalars times windows; more than 1 for several sums
  double bucket_sets = 1.0;  ///< sums that are reduced each by itself; one in G2 counts as about 2.6
  std::uint64_t points = 0;  ///< of all bases together that use these windows
  std::size_t affine_bytes = 64;       ///< of one point (the mean over the bases)
  std::size_t table_budget_bytes = 0;  ///< device memory for all tables; k = 1 is used when it is too small
};

/// The cheapest windows within the budget, by the count of additions (a bucket costs about four). At most 24
/// bits; at most as many tables as windows.
MsmWindows choose_windows(const MsmDemand& demand);

}  // namespace baton
