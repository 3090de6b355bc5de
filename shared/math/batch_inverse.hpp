#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace baton {

/// Replaces every element by its inverse; zeros stay zero. One inversion and three products an element.
/// `scratch` has at least as many elements and holds nothing of use afterwards.
template <class Field>
void batch_inverse(std::span<Field> values, std::span<Field> scratch) {
  Field product = Field::one();
  for (std::size_t i = 0; i < values.size(); ++i) {
    scratch[i] = product;
    if (!values[i].is_zero()) {
      product = product * values[i];
    }
  }
  Field inverse = product.inverse();
  for (std::size_t i = values.size(); i > 0; --i) {
    Field& value = values[i - 1];
    if (!value.is_zero()) {
      const Field next = inverse * value;
      value = inverse * scratch[i - 1];
      inverse = next;
    }
  }
}

template <class Field>
void batch_inverse(std::span<Field> values) {
  std::vector<Field> scratch(values.size());
  batch_inverse(values, std::span<Field>(scratch));
}

}  // namespace baton
