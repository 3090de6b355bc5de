#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <cstddef>

#include "shared/groth16/root_table.hpp"

namespace baton {
namespace detail {

/// Blocks up to this many elements are transformed by one thread, in its second-level cache.
inline constexpr std::size_t kNttBlock = std::size_t{1} << 12;

/// One level of the inverse transform over the block x[0, 2 half), for j in [begin, end) of its lower half.
template <class Fr>
void inverse_level(Fr* x, std::size_t half, const Fr* roots) {
  const Fr first = x[0] - x[half];
  x[0] += x[half];
  x[half] = first;
  for (std::size_t j = 1; j < half; ++j) {
    const Fr difference = x[half + j] - x[j];
    x[j] += x[half + j];
    x[half + j] = difference * roots[half - j];  // w^-j = -w^(half - j)
  }
}

/// Two levels of the inverse transform at once over the block x[0, 4 quarter), for j in [begin, end).
template <class Fr>
void inverse_two_levels(Fr* x, std::size_t quarter, std::size_t begin, std::size_t end,
                        const RootTable<Fr>& table) {
  const Fr* outer = table.plain(2 * quarter);
  const Fr* inner = table.plain(quarter);
  for (std::size_t j = begin; j < end; ++j) {
    const Fr& x0 = x[j];
    const Fr& x1 = x[quarter + j];
    const Fr& x2 = x[2 * quarter + j];
    const Fr& x3 = x[3 * quarter + j];
    const Fr y0 = x0 + x2;
    const Fr y1 = x1 + x3;
    const Fr d2 = x2 - x0;
    const Fr d3 = x3 - x1;
    const Fr y2 = j == 0 ? -d2 : d2 * outer[2 * quarter - j];
    const Fr y3 = d3 * outer[quarter - j];
    x[j] = y0 + y1;
    x[2 * quarter + j] = y2 + y3;
    const Fr z1 = y1 - y0;
    const Fr z3 = y3 - y2;
    if (j == 0) {
      x[quarter] = -z1;
      x[3 * quarter] = -z3;
    } else {
      x[quarter + j] = z1 * inner[quarter - j];
      x[3 * quarter + j] = z3 * inner[quarter - j];
    }
  }
}

/// One level of the transform onto the odd coset over the block x[0, 2 half).
template <class Fr>
void coset_level(Fr* x, std::size_t half, const Fr* roots) {
  for (std::size_t j = 0; j < half; ++j) {
    const Fr v = x[half + j] * roots[j];
    x[half + j] = x[j] - v;
    x[j] += v;
  }
}

/// Two levels of the transform onto the odd coset at once over x[0, 4 quarter), for j in [begin, end).
template <class Fr>
void coset_two_levels(Fr* x, std::size_t quarter, std::size_t begin, std::size_t end,
                      const RootTable<Fr>& table) {
  const Fr* outer = table.odd(2 * quarter);
  const Fr* inner = table.odd(quarter);
  for (std::size_t j = begin; j < end; ++j) {
    const Fr v1 = x[quarter + j] * inner[j];
    const Fr v3 = x[3 * quarter + j] * inner[j];
    const Fr y0 = x[j] + v1;
    const Fr y1 = x[j] - v1;
    const Fr x2 = x[2 * quarter + j] + v3;
    const Fr x3 = x[2 * quarter + j] - v3;
    const Fr y2 = x2 * outer[j];
    const Fr y3 = x3 * outer[quarter + j];
    x[j] = y0 + y2;
    x[quarter + j] = y1 + y3;
    x[2 * quarter + j] = y0 - y2;
    x[3 * quarter + j] = y1 - y3;
  }
}

/// Calls body(begin, end) over [0, count) in pieces, on the caller's arena.
template <class Body>
void for_pieces(std::size_t count, const Body& body) {
  constexpr std::size_t kGrain = 1024;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, kGrain),
                    [&](const tbb::blocked_range<std::size_t>& range) { body(range.begin(), range.end()); });
}

}  // namespace detail

/// n times the inverse transform, in place: x in natural order becomes n times the coefficients in
/// bit-reversed order. n is a power of two, at most the table's size. Uses the threads of the caller's arena.
template <class Fr>
void inverse_ntt(Fr* x, std::size_t n, const RootTable<Fr>& table) {
  if (n <= detail::kNttBlock) {
    for (std::size_t half = n / 2; half != 0; half /= 2) {
      for (std::size_t block = 0; block < n; block += 2 * half) {
        detail::inverse_level(x + block, half, table.plain(half));
      }
    }
    return;
  }
  const std::size_t quarter = n / 4;
  detail::for_pieces(quarter, [&](std::size_t begin, std::size_t end) {
    detail::inverse_two_levels(x, quarter, begin, end, table);
  });
  tbb::parallel_for(0, 4,
                    [&](int i) { inverse_ntt(x + static_cast<std::size_t>(i) * quarter, quarter, table); });
}

/// The transform onto the odd coset, in place: coefficients in bit-reversed order become the values at
/// w_2n^(2i + 1), i in natural order. n is a power of two, at most the table's size.
template <class Fr>
void coset_ntt(Fr* x, std::size_t n, const RootTable<Fr>& table) {
  if (n <= detail::kNttBlock) {
    for (std::size_t half = 1; half < n; half *= 2) {
      for (std::size_t block = 0; block < n; block += 2 * half) {
        detail::coset_level(x + block, half, table.odd(half));
      }
    }
    return;
  }
  const std::size_t quarter = n / 4;
  tbb::parallel_for(0, 4,
                    [&](int i) { coset_ntt(x + static_cast<std::size_t>(i) * quarter, quarter, table); });
  detail::for_pieces(quarter, [&](std::size_t begin, std::size_t end) {
    detail::coset_two_levels(x, quarter, begin, end, table);
  });
}

}  // namespace baton
