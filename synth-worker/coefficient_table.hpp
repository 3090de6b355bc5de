#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shared/math/big_int.hpp"
#include "shared/math/curve_id.hpp"

namespace baton {

/// Distinct coefficients and their numbers in order of first appearance; one and minus one come first.
/// Values are value * R^2 mod r. Used by one thread.
class CoefficientTable {
 public:
  /// A random `seed` keeps files from making the table slow; the numbers do not depend on it.
  CoefficientTable(CurveId curve, std::uint64_t seed);

  /// The number of `value`, which is added when it is new.
  [[nodiscard]] std::uint32_t number_of(const BigInt<4>& value);

  [[nodiscard]] std::span<const BigInt<4>> values() const noexcept { return values_; }

 private:
  [[nodiscard]] std::size_t slot_of(const BigInt<4>& value) const noexcept;
  void grow();

  std::uint64_t seed_;
  std::vector<BigInt<4>> values_;
  std::vector<std::uint32_t> slots_;  ///< number + 1, or 0; a power of two, at most half full
};

}  // namespace baton
