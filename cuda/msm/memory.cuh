#pragma once

#include <cstddef>

#include "cuda/field/lazy_fp.cuh"

namespace baton::device {

/// Reads an object of a multiple of 16 bytes from global memory that no running kernel writes.
template <class T>
__device__ __forceinline__ T load_constant(const T* source) {
  static_assert(sizeof(T) % sizeof(uint4) == 0);
  union {
    uint4 pieces[sizeof(T) / sizeof(uint4)];
    T value;
  } both;
  const auto* from = reinterpret_cast<const uint4*>(source);
#pragma unroll
  for (unsigned i = 0; i < sizeof(T) / sizeof(uint4); ++i) {
    both.pieces[i] = __ldg(from + i);
  }
  return both.value;
}

}  // namespace baton::device
