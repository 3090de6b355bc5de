#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "shared/math/big_int.hpp"
#include "shared/math/roots.hpp"

namespace baton {

/// The roots of unity that the transforms of all domains up to 2^log_size read. Two tables of 2^log_size
/// elements, one level for each half block m = 1, 2, 4, ..., 2^(log_size - 1), at [m, 2m):
///   plain  w_2m^j              for the inverse transform,
///   odd    w_4m^(2j + 1)       for the transform onto the odd coset.
/// No level depends on the size of the domain. Immutable after construction.
template <class Fr>
class RootTable {
 public:
  /// `log_size` is at least 1 and below the two-adicity of the field. Uses the threads of the caller's arena.
  explicit RootTable(unsigned log_size) : plain_(std::size_t{1} << log_size), odd_(plain_.size()) {
    const std::size_t top = plain_.size() / 2;
    fill_powers(plain_.data() + top, top, Fr::one(), root_of_unity<Fr>(log_size));
    fill_powers(odd_.data() + top, top, root_of_unity<Fr>(log_size + 1), root_of_unity<Fr>(log_size));
    for (std::size_t half = top / 2; half != 0; half /= 2) {
      for (std::size_t j = 0; j < half; ++j) {
        plain_[half + j] = plain_[2 * half + 2 * j];
        odd_[half + j] = plain_[2 * half + 2 * j + 1];
      }
    }
  }

  [[nodiscard]] unsigned log_size() const noexcept {
    return static_cast<unsigned>(std::countr_zero(plain_.size()));
  }
  [[nodiscard]] const Fr* plain(std::size_t half) const noexcept { return plain_.data() + half; }
  [[nodiscard]] const Fr* odd(std::size_t half) const noexcept { return odd_.data() + half; }
  [[nodiscard]] std::size_t bytes() const noexcept { return 2 * plain_.size() * sizeof(Fr); }

 private:
  /// out[j] = first * ratio^j.
  static void fill_powers(Fr* out, std::size_t count, const Fr& first, const Fr& ratio) {
    constexpr std::size_t kChunk = 2048;
    const std::size_t chunks = (count + kChunk - 1) / kChunk;
    tbb::parallel_for(std::size_t{0}, chunks, [&](std::size_t chunk) {
      const std::size_t begin = chunk * kChunk;
      const std::size_t end = std::min(count, begin + kChunk);
      out[begin] = first * ratio.pow(BigInt<1>::from_u64(begin));
      for (std::size_t j = begin + 1; j < end; ++j) {
        out[j] = out[j - 1] * ratio;
      }
    });
  }

  std::vector<Fr> plain_;
  std::vector<Fr> odd_;
};

}  // namespace baton
