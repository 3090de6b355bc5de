#pragma once

#include <string_view>

#include "shared/math/decimal.hpp"
#include "shared/math/fp.hpp"

namespace baton {

/// A field element written in decimal, at compile time; anything but a number below the modulus does not
/// compile.
template <class Field>
consteval Field decimal_element(std::string_view digits) {
  return Field::from_canonical(parse_decimal<Field::kLimbs>(digits).value()).value();
}

}  // namespace baton
