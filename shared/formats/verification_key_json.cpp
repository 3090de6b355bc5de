#include "shared/formats/verification_key_json.hpp"

#include "shared/formats/curve_dispatch.hpp"
#include "shared/formats/json_fields.hpp"
#include "shared/formats/prime_field.hpp"
#include "shared/support/posix.hpp"

namespace baton {

namespace {

/// "IC", whose length "nPublic" must agree with.
template <class Curve>
Status take_ic(const json::Json& document, VerificationKey<Curve>& key) {
  using G1 = typename Curve::G1Affine;
  BATON_ASSIGN_OR_RETURN(const json::Json* list, json::member(document, "IC"));
  BATON_ASSIGN_OR_RETURN(const json::Json* count, json::member(document, "nPublic"));
  if (!list->is_array() || list->empty()) {
    return invalid_input("IC: not a list of points");
  }
  if (!count->is_number_unsigned() || count->get<std::uint64_t>() != list->size() - 1) {
    return invalid_input(
        concat("nPublic: expected ", list->size() - 1, " for the ", list->size(), " points of IC"));
  }
  key.ic.reserve(list->size());
  for (const json::Json& item : *list) {
    auto point = json::take_point<Curve, G1>(item);
    if (!point) {
      return std::move(point).status().with_context(concat("IC[", key.ic.size(), "]"));
    }
    key.ic.push_back(*point);
  }
  return {};
}

template <class Curve>
Result<AnyVerificationKey> take_key(const json::Json& document) {
  VerificationKey<Curve> key;
  BATON_RETURN_IF_ERROR((json::take_point_member<Curve>(document, "vk_alpha_1", key.alpha1)));
  BATON_RETURN_IF_ERROR((json::take_point_member<Curve>(document, "vk_beta_2", key.beta2)));
  BATON_RETURN_IF_ERROR((json::take_point_member<Curve>(document, "vk_gamma_2", key.gamma2)));
  BATON_RETURN_IF_ERROR((json::take_point_member<Curve>(document, "vk_delta_2", key.delta2)));
  BATON_RETURN_IF_ERROR(take_ic<Curve>(document, key));
  return AnyVerificationKey(std::move(key));
}

}  // namespace

Result<AnyVerificationKey> parse_verification_key_json(std::string_view text) {
  BATON_ASSIGN_OR_RETURN(const json::Json document, json::parse(text));
  BATON_RETURN_IF_ERROR(json::check_protocol(document));
  BATON_ASSIGN_OR_RETURN(const auto named, json::named_curve(document));
  if (!named) {
    return invalid_input("curve: missing");
  }
  return with_curve(*named,
                    [&]<class Curve>(std::type_identity<Curve>) { return take_key<Curve>(document); });
}

Result<AnyVerificationKey> read_verification_key_json(const std::string& path) {
  BATON_ASSIGN_OR_RETURN(const std::string text, read_small_file(path, json::kLargestFile));
  auto key = parse_verification_key_json(text);
  if (!key) {
    return std::move(key).status().with_context(path);
  }
  return key;
}

template <class Curve>
std::string write_verification_key_json(const VerificationKey<Curve>& key,
                                        const AlphaBeta<Curve>& alpha_beta) {
  json::Json document;
  document["protocol"] = "groth16";
  document["curve"] = curve_name(Curve::kId);
  document["nPublic"] = key.ic.size() - 1;
  document["vk_alpha_1"] = json::point(key.alpha1);
  document["vk_beta_2"] = json::point(key.beta2);
  document["vk_gamma_2"] = json::point(key.gamma2);
  document["vk_delta_2"] = json::point(key.delta2);
  json::Json product = json::Json::array();
  for (std::size_t i = 0; i < 2; ++i) {
    json::Json half = json::Json::array();
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t first = 6 * i + 2 * j;
      half.push_back(
          json::Json::array({json::coordinate(alpha_beta[first]), json::coordinate(alpha_beta[first + 1])}));
    }
    product.push_back(std::move(half));
  }
  document["vk_alphabeta_12"] = std::move(product);
  json::Json& ic = document["IC"] = json::Json::array();
  for (const auto& point : key.ic) {
    ic.push_back(json::point(point));
  }
  return document.dump(1);
}

template std::string write_verification_key_json<Bn254>(const VerificationKey<Bn254>&,
                                                        const AlphaBeta<Bn254>&);
template std::string write_verification_key_json<Bls12_381>(const VerificationKey<Bls12_381>&,
                                                            const AlphaBeta<Bls12_381>&);

}  // namespace baton
