#pragma once

#include <cstdint>

#include "cuda/field/mad_chains.cuh"
#include "shared/math/host_device.hpp"

namespace baton::ntt {

/// Columns of a tile: 8 neighbours of 16 bytes fill the 32 banks of shared memory.
inline constexpr std::uint32_t kColumns = 8;
/// Elements that one thread holds in registers.
inline constexpr std::uint32_t kRadix = 8;
inline constexpr unsigned kMaxLogRows = 9;
inline constexpr unsigned kMinLogRows = 3;

/// Half a field element, as shared memory moves it.
struct alignas(16) Half {
  std::uint64_t limbs[2];
};

/// A rows x kColumns tile of field elements in shared memory, split into halves. The column is rotated by the
/// row, so that 8 neighbouring threads hit different banks along rows and along columns.
template <class Fr>
class Tile {
 public:
  BATON_HOST_DEVICE static constexpr std::uint32_t bytes(std::uint32_t rows) { return rows * kColumns * 32; }

  BATON_HOST_DEVICE Tile(Half* memory, std::uint32_t rows) : low_(memory), high_(memory + rows * kColumns) {}

  BATON_HOST_DEVICE Fr get(std::uint32_t row, std::uint32_t column) const {
    const std::uint32_t place = at(row, column);
    typename Fr::Int limbs;
    const Half low = low_[place];
    const Half high = high_[place];
    limbs.limbs[0] = low.limbs[0];
    limbs.limbs[1] = low.limbs[1];
    limbs.limbs[2] = high.limbs[0];
    limbs.limbs[3] = high.limbs[1];
    return Fr::from_montgomery_limbs(limbs);
  }

  BATON_HOST_DEVICE void set(std::uint32_t row, std::uint32_t column, const Fr& value) const {
    const std::uint32_t place = at(row, column);
    const typename Fr::Int& limbs = value.limbs();
    low_[place] = {{limbs.limbs[0], limbs.limbs[1]}};
    high_[place] = {{limbs.limbs[2], limbs.limbs[3]}};
  }

 private:
  BATON_HOST_DEVICE static constexpr std::uint32_t at(std::uint32_t row, std::uint32_t column) {
    return row * kColumns + ((row + column) & (kColumns - 1));
  }

  Half* low_;
  Half* high_;
};

/// Number with the low `bits` bits of `value` in reverse order.
BATON_HOST_DEVICE constexpr std::uint32_t reversed(std::uint32_t value, unsigned bits) {
#ifdef __CUDA_ARCH__
  return bits == 0 ? 0 : __brev(value) >> (32 - bits);
#else
  std::uint32_t result = 0;
  for (unsigned i = 0; i < bits; ++i) {
    result |= ((value >> i) & 1) << (bits - 1 - i);
  }
  return result;
#endif
}

}  // namespace baton::ntt
