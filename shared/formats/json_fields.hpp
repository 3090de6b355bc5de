#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "shared/formats/point_codec.hpp"
#include "shared/math/big_int.hpp"
#include "shared/math/curve_id.hpp"
#include "shared/math/decimal.hpp"
#include "shared/math/fp.hpp"
#include "shared/math/fp2.hpp"
#include "shared/support/concat.hpp"
#include "shared/support/result.hpp"

/// Pieces that the JSON readers and writers share; included by their .cpp files only.
namespace baton::json {

using Json = nlohmann::ordered_json;

/// Bytes of a JSON file that are read at most.
inline constexpr std::size_t kLargestFile = std::size_t{256} << 20U;

/// The document, or where it stops being JSON.
[[nodiscard]] Result<Json> parse(std::string_view text);

/// The member of an object.
[[nodiscard]] Result<const Json*> member(const Json& object, std::string_view key);

/// Ok when the document is an object whose "protocol" is groth16.
[[nodiscard]] Status check_protocol(const Json& document);

/// The curve that "curve" names (bn128, BN254, alt_bn128, bls12381, ..., case and punctuation ignored);
/// nothing when the member is absent.
[[nodiscard]] Result<std::optional<CurveId>> named_curve(const Json& document);

/// A decimal string without sign, blanks or leading zeros, or an integer that JSON holds exactly.
template <std::size_t N>
[[nodiscard]] Result<BigInt<N>> take_integer(const Json& value) {
  if (value.is_number_unsigned()) {
    return BigInt<N>::from_u64(value.get<std::uint64_t>());
  }
  if (!value.is_string()) {
    return invalid_input("not a decimal string");
  }
  const auto& text = value.get_ref<const std::string&>();
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos ||
      (text.size() > 1 && text.front() == '0')) {
    return invalid_input("not a decimal number");
  }
  if (const auto number = parse_decimal<N>(text)) {
    return *number;
  }
  return invalid_input(concat("a number of ", text.size(), " digits is too large"));
}

template <class Params>
[[nodiscard]] Status take_coordinate(const Json& value, Fp<Params>& out) {
  auto integer = take_integer<Params::kLimbs>(value);
  if (!integer) {
    return std::move(integer).status();
  }
  const auto element = Fp<Params>::from_canonical(*integer);
  if (!element) {
    return invalid_input("not below q");
  }
  out = *element;
  return {};
}

template <class Fq>
[[nodiscard]] Status take_coordinate(const Json& value, Fp2<Fq>& out) {
  if (!value.is_array() || value.size() != 2) {
    return invalid_input("not a list of 2 numbers");
  }
  BATON_RETURN_IF_ERROR(take_coordinate(value[0], out.c0).with_context("[0]"));
  return take_coordinate(value[1], out.c1).with_context("[1]");
}

/// [x, y, 1], or [0, 1, 0] for infinity; checked by check_point.
template <class Curve, class Affine>
[[nodiscard]] Result<Affine> take_point(const Json& value) {
  using Field = typename Affine::Field;
  if (!value.is_array() || value.size() != 3) {
    return invalid_input("not a list of 3 coordinates");
  }
  Field coordinates[3];
  for (std::size_t i = 0; i < 3; ++i) {
    BATON_RETURN_IF_ERROR(take_coordinate(value[i], coordinates[i]).with_context(concat("[", i, "]")));
  }
  const auto& [x, y, z] = coordinates;
  if (z.is_zero() && x.is_zero() && y == Field::one()) {
    return Affine::infinity();
  }
  if (!(z == Field::one())) {
    return invalid_input("[2]: z is not 1");
  }
  const Affine point{x, y};
  if (point.is_infinity()) {
    return invalid_input("the point is not on the curve");
  }
  BATON_RETURN_IF_ERROR((check_point<Curve, Affine>(point)));
  return point;
}

/// take_point of a member; messages begin with its name.
template <class Curve, class Affine>
[[nodiscard]] Status take_point_member(const Json& document, std::string_view key, Affine& out) {
  BATON_ASSIGN_OR_RETURN(const Json* value, member(document, key));
  auto point = take_point<Curve, Affine>(*value);
  if (!point) {
    return std::move(point).status().with_context(key);
  }
  out = *point;
  return {};
}

template <class Params>
[[nodiscard]] Json coordinate(const Fp<Params>& value) {
  return to_decimal(value.to_canonical());
}

template <class Fq>
[[nodiscard]] Json coordinate(const Fp2<Fq>& value) {
  return Json::array({coordinate(value.c0), coordinate(value.c1)});
}

template <class Affine>
[[nodiscard]] Json point(const Affine& value) {
  using Field = typename Affine::Field;
  if (value.is_infinity()) {
    return Json::array({coordinate(Field::zero()), coordinate(Field::one()), coordinate(Field::zero())});
  }
  return Json::array({coordinate(value.x), coordinate(value.y), coordinate(Field::one())});
}

}  // namespace baton::json
