#pragma once

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
      prefixes_.resize(capacity + kChains);
    }
    count_ = 0;
  }

  /// `value` is not zero; at most `capacity` calls.
  void push(const Field& value) { values_[count_++] = value; }

  [[nodiscard]] std::size_t size() const noexcept { return count_; }

  /// Replaces every element by its inverse.
  void invert() {
    if (count_ == 0) {
      return;
    }
    std::size_t padded = count_;
    while (padded % kChains != 0) {
      values_[padded++] = Field::one();
    }
    std::array<Field, kChains> products;
    products.fill(Field::one());
    for (std::size_t i = 0; i < padded; i += kChains) {
      for (std::size_t c = 0; c < kChains; ++c) {
        prefixes_[i + c] = products[c];
        products[c] = products[c] * values_[i + c];
      }
    }
    invert_each(products);
    for (std::size_t i = padded; i != 0; i -= kChains) {
      for (std::size_t c = 0; c < kChains; ++c) {
        const std::size_t at = i - kChains + c;
        const Field inverse = products[c] * prefixes_[at];
        products[c] = products[c] * values_[at];
        values_[at] = inverse;
      }
    }
  }

  [[nodiscard]] const Field& operator[](std::size_t index) const noexcept { return values_[index]; }

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
