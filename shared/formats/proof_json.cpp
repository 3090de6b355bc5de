#include "shared/formats/proof_json.hpp"

#include "shared/formats/curve_dispatch.hpp"
#include "shared/formats/json_fields.hpp"
#include "shared/formats/prime_field.hpp"
#include "shared/support/posix.hpp"

namespace baton {

namespace {

template <class Curve>
Result<AnyProof> take_proof(const json::Json& document) {
  Proof<Curve> proof;
  BATON_RETURN_IF_ERROR((json::take_point_member<Curve>(document, "pi_a", proof.a)));
  BATON_RETURN_IF_ERROR((json::take_point_member<Curve>(document, "pi_b", proof.b)));
  BATON_RETURN_IF_ERROR((json::take_point_member<Curve>(document, "pi_c", proof.c)));
  return AnyProof(proof);
}

}  // namespace

Result<AnyProof> parse_proof_json(std::string_view text, CurveId curve) {
  BATON_ASSIGN_OR_RETURN(const json::Json document, json::parse(text));
  BATON_RETURN_IF_ERROR(json::check_protocol(document));
  BATON_ASSIGN_OR_RETURN(const auto named, json::named_curve(document));
  if (named && *named != curve) {
    return invalid_input(concat("curve: a proof over ", curve_name(*named), ", the verification key is for ",
                                curve_name(curve)));
  }
  return with_curve(curve,
                    [&]<class Curve>(std::type_identity<Curve>) { return take_proof<Curve>(document); });
}

Result<AnyProof> read_proof_json(const std::string& path, CurveId curve) {
  BATON_ASSIGN_OR_RETURN(const std::string text, read_small_file(path, json::kLargestFile));
  auto proof = parse_proof_json(text, curve);
  if (!proof) {
    return std::move(proof).status().with_context(path);
  }
  return proof;
}

std::string write_proof_json(const AnyProof& proof) {
  json::Json document;
  std::visit(
      [&](const auto& points) {
        document["pi_a"] = json::point(points.a);
        document["pi_b"] = json::point(points.b);
        document["pi_c"] = json::point(points.c);
      },
      proof);
  document["protocol"] = "groth16";
  document["curve"] = curve_name(curve_of(proof));
  return document.dump(1);
}

}  // namespace baton
