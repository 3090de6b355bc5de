#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace baton {

/// Inverts many field elements with one inversion (Montgomery's trick), in kChains interleaved chains so that
/// the products do not wait for one another. Keeps its memory. One thread at a time.
template <class Field>
class BatchInverse {
 public:
  /// Makes room for `capacity` elements and forgets those that are there.
  void reset(std::size_t capacity) {
    if (values_.size() < capacity + kChains) {
      values_.resize(capacity + kChains);
      prefixes_.resize(capacity + 2 * kChains);
    }
    count_ = 0;
  }

  /// The place of one more element, which the caller sets to something that is not zero; at most `capacity`
  /// calls.
  [[nodiscard]] Field& next() { return values_[count_++]; }

  [[nodiscard]] std::size_t size() const noexcept { return count_; }

  /// Inverts all; [] then gives the inverses.
  void invert() {
    if (count_ == 0) {
      return;
    }
    std::size_t padded = count_;
    while (padded % kChains != 0) {
      values_[padded++] = Field::one();
    }
    // prefixes_[i] is the product of the values before i in its chain.
    Field* const prefixes = prefixes_.data();
    Field* const values = values_.data();
    std::fill_n(prefixes, kChains, Field::one());
    for (std::size_t i = 0; i < padded; ++i) {
      prefixes[i + kChains] = prefixes[i] * values[i];
    }
    std::array<Field, kChains> products;
    std::copy_n(prefixes + padded, kChains, products.begin());
    invert_each(products);
    for (std::size_t i = padded; i != 0; i -= kChains) {
      for (std::size_t c = 0; c < kChains; ++c) {
        const std::size_t at = i - kChains + c;
        prefixes[at] *= products[c];
        products[c] *= values[at];
      }
    }
  }

  [[nodiscard]] const Field& operator[](std::size_t index) const noexcept { return prefixes_[index]; }

 private:
  static constexpr std::size_t kChains = 4;

  static void invert_each(std::array<Field, kChains>& values) {
    const Field low = values[0] * values[1];
    const Field high = values[2] * values[3];
    const Field inverse = (low * high).inverse();
    const Field low_inverse = inverse * high;
    const Field high_inverse = inverse * low;
    values = {low_inverse * values[1], low_inverse * values[0], high_inverse * values[3],
              high_inverse * values[2]};
  }

  std::vector<Field> values_;
  std::vector<Field> prefixes_;
  std::size_t count_ = 0;
};

}  // namespace baton
