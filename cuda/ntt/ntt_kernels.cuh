#pragma once

#include "cuda/ntt/ntt_pass.cuh"

namespace baton::ntt {

/// Where a pass takes its elements from and puts them.
template <class Fr>
struct LoadPlain {
  const Fr* from;
  BATON_HOST_DEVICE Fr operator()(std::uint32_t i) const { return from[i]; }
};
template <class Fr>
struct LoadProduct {
  const Fr* x;
  const Fr* y;
  BATON_HOST_DEVICE Fr operator()(std::uint32_t i) const { return x[i] * y[i]; }
};
template <class Fr>
struct StorePlain {
  Fr* to;
  BATON_HOST_DEVICE void operator()(std::uint32_t i, const Fr& value) const { to[i] = value; }
};
/// h = a b - c out of Montgomery form.
template <class Fr>
struct StoreQuotient {
  const Fr* a;
  const Fr* b;
  Fr* h;
  BATON_HOST_DEVICE void operator()(std::uint32_t i, const Fr& c) const {
    h[i] = Fr::from_montgomery_limbs((a[i] * b[i] - c).to_canonical());
  }
};

#ifdef __CUDACC__

inline constexpr unsigned kMaxThreads = 1U << kMaxLogRows;

template <class Fr>
__host__ __device__ constexpr std::size_t shared_bytes(unsigned log_rows) {
  return (std::size_t{32} << log_rows) + Tile<Fr>::bytes(1U << log_rows);
}

template <class Fr, class Load, class Store>
__global__ void __launch_bounds__(kMaxThreads) strided_inverse(StridedPass<Fr> pass, Load load, Store store) {
  extern __shared__ Half memory[];
  const std::uint32_t rows = 1U << pass.log_rows;
  const Tile<Fr> roots(memory, rows / 8);
  const Tile<Fr> tile(memory + rows * 2, rows);
  copy_roots(pass.roots.rows, roots, threadIdx.x);
  const unsigned phases = Phases{pass.log_rows}.count();
  for (unsigned p = 0; p < phases; ++p) {
    __syncthreads();
    pass.inverse_phase(p, blockIdx.x, threadIdx.x, tile, roots, load, store);
  }
}

template <class Fr, class Load, class Store>
__global__ void __launch_bounds__(kMaxThreads) strided_forward(StridedPass<Fr> pass, Load load, Store store) {
  extern __shared__ Half memory[];
  const std::uint32_t rows = 1U << pass.log_rows;
  const Tile<Fr> roots(memory, rows / 8);
  const Tile<Fr> tile(memory + rows * 2, rows);
  copy_roots(pass.roots.rows, roots, threadIdx.x);
  for (unsigned p = Phases{pass.log_rows}.count(); p > 0; --p) {
    __syncthreads();
    pass.forward_phase(p - 1, blockIdx.x, threadIdx.x, tile, roots, load, store);
  }
}

template <bool kInverse, bool kForward, class Fr, class Load, class Store>
__global__ void __launch_bounds__(kMaxThreads) contiguous(ContiguousPass<Fr> pass, Load load, Store store) {
  extern __shared__ Half memory[];
  const std::uint32_t rows = 1U << pass.log_rows;
  const Tile<Fr> roots(memory, rows / 8);
  const Tile<Fr> tile(memory + rows * 2, rows);
  const unsigned phases = Phases{pass.log_rows}.count();
  copy_roots(kInverse ? pass.inverse.rows : pass.forward.rows, roots, threadIdx.x);
  pass.load(blockIdx.x, threadIdx.x, tile, load);
  __syncthreads();
  if (kInverse) {
    for (unsigned p = 0; p + 1 < phases; ++p) {
      pass.inverse_phase(p, threadIdx.x, tile, roots);
      __syncthreads();
    }
  }
  if (kInverse && kForward) {
    copy_roots(pass.forward.rows, roots, threadIdx.x);
  }
  pass.template turn<kInverse, kForward>(blockIdx.x, threadIdx.x, tile);
  __syncthreads();
  if (kForward) {
    for (unsigned p = phases - 1; p > 0; --p) {
      pass.forward_phase(p - 1, threadIdx.x, tile, roots);
      __syncthreads();
    }
  }
  pass.store(blockIdx.x, threadIdx.x, tile, store);
}

/// Sizes 2 and 4: the matrix of the whole transform times the values.
template <class Fr, class Load, class Store>
__global__ void tiny_to_coset(std::uint32_t size, const Fr* matrix, Load load, Store store) {
  const std::uint32_t i = threadIdx.x;
  Fr sum = Fr::zero();
  for (std::uint32_t j = 0; j < size; ++j) {
    sum = sum + matrix[i * size + j] * load(j);
  }
  __syncthreads();
  store(i, sum);
}

/// h = a b - c for values that are at the coset already; `c` becomes h.
template <class Fr>
__global__ void pointwise_quotient(std::uint32_t size, StoreQuotient<Fr> store) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) {
    store(i, store.h[i]);
  }
}

/// base^exponent as low[exponent mod 2^half] high[exponent / 2^half].
template <class Fr>
struct PowerTable {
  const Fr* low;
  const Fr* high;
  unsigned half;
  __device__ Fr power(std::uint32_t exponent) const {
    return low[exponent & ((1U << half) - 1)] * high[exponent >> half];
  }
};

/// The twiddles of a strided pass whose span is 2^log_span of 2^log_size; `powers` of the generator.
template <class Fr>
__global__ void fill_twiddles(Fr* out, unsigned log_rows, unsigned log_stride, unsigned log_size,
                              PowerTable<Fr> powers) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned log_span = log_rows + log_stride;
  if (i >> log_span != 0) {
    return;
  }
  const std::uint32_t column = i & ((1U << log_stride) - 1);
  const std::uint32_t exponent = (column * reversed(i >> log_stride, log_rows)) << (log_size - log_span);
  out[i] = powers.power(exponent);
}

/// factors[p] = powers^reversed(p).
template <class Fr>
__global__ void fill_factors(Fr* out, unsigned log_size, PowerTable<Fr> powers) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >> log_size == 0) {
    out[i] = powers.power(reversed(i, log_size));
  }
}

#endif

}  // namespace baton::ntt
