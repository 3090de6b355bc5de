#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

#include "cuda/device/device_buffer.hpp"
#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// Tables of one domain of 2^log_size elements in device memory, and the transforms over it. The generator is
/// that of the proving keys (shared/math/roots.hpp); the coset is that of the odd powers of the 2^(log_size +
/// 1)-th root. Elements are in Montgomery form and fully reduced. Built once; the transforms allocate
/// nothing, never synchronise, work in place or from one buffer to another, and may run on many streams at
/// once.
template <class Fr>
class NttDomain {
 public:
  static constexpr unsigned kMinLogSize = 1;
  static constexpr unsigned kMaxLogSize = 27;

  /// Device memory that build() takes.
  [[nodiscard]] static std::size_t bytes(unsigned log_size);

  /// Returns when the tables are there. kLimit for sizes outside the bounds, kNoSpace when they do not fit.
  static Result<NttDomain> build(unsigned log_size, cudaStream_t stream);

  [[nodiscard]] unsigned log_size() const noexcept { return log_size_; }
  [[nodiscard]] std::size_t size() const noexcept { return std::size_t{1} << log_size_; }

  /// Values at the domain, natural order -> coefficients, reversed order. Sizes from 8 up.
  Status inverse(const Fr* in, Fr* out, cudaStream_t stream) const;
  /// Coefficients, reversed order -> values at the domain, natural order. Sizes from 8 up.
  Status forward(const Fr* in, Fr* out, cudaStream_t stream) const;
  /// Values at the domain -> values at the coset, both in natural order.
  Status to_coset(const Fr* in, Fr* out, cudaStream_t stream) const;

  /// h = a b - c at the coset as canonical integers. `a` and `b` hold values at the domain and are
  /// overwritten with those at the coset; so does `c`, unless `derive_c`, when c = a o b; `c` is overwritten
  /// with h.
  Status quotient(Fr* a, Fr* b, Fr* c, bool derive_c, cudaStream_t stream) const;

 private:
  NttDomain() = default;
  struct Impl;
  friend struct Impl;

  unsigned log_size_ = 0;
  DeviceBuffer memory_;
  const Fr* inverse_twiddles_[2] = {};  ///< of the strided passes
  const Fr* forward_twiddles_[2] = {};
  const Fr* inverse_rows_[3] = {};  ///< roots inside the columns, of every pass
  const Fr* forward_rows_[3] = {};
  const Fr* factors_ =
      nullptr;  ///< by position: coset factor over size; up to size 4 the whole transform's matrix
};

extern template class NttDomain<Bn254::Fr>;
extern template class NttDomain<Bls12_381::Fr>;

}  // namespace baton
