#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/msm/digits.hpp"

namespace baton {

/// The scalars of a DigitSort, and how they are cut.
struct DigitInput {
  const uint4* scalars;
  std::uint32_t count;
  ScalarModulus modulus;
  MsmWindows windows;
  unsigned index_bits;
};

/// The way of DigitSort for scalars most of whose digits are not zero: a radix sort of as many pairs as there
/// may be. It costs the same whatever the scalars are, and never scatters.
Result<std::size_t> dense_sort_bytes(std::uint32_t capacity, std::uint32_t buckets);
Result<SortedDigits> dense_sort(const DigitInput& in, std::uint32_t capacity, ArenaView& arena,
                                cudaStream_t stream);

}  // namespace baton
