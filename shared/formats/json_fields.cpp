#include "shared/formats/json_fields.hpp"

#include <algorithm>
#include <cctype>

namespace baton::json {

Result<Json> parse(std::string_view text) {
  try {
    return Json::parse(text.begin(), text.end());
  } catch (const Json::parse_error& error) {
    return invalid_input(concat("not JSON from byte ", error.byte, " on"));
  } catch (const Json::exception&) {
    return invalid_input("not JSON");
  }
}

Result<const Json*> member(const Json& object, std::string_view key) {
  const auto found = object.find(std::string(key));
  if (found == object.end()) {
    return invalid_input(concat(key, ": missing"));
  }
  return &*found;
}

Status check_protocol(const Json& document) {
  if (!document.is_object()) {
    return invalid_input("not a JSON object");
  }
  BATON_ASSIGN_OR_RETURN(const Json* protocol, member(document, "protocol"));
  if (!protocol->is_string() || protocol->get_ref<const std::string&>() != "groth16") {
    return invalid_input("protocol: not groth16");
  }
  return {};
}

Result<std::optional<CurveId>> named_curve(const Json& document) {
  const auto found = document.find("curve");
  if (found == document.end()) {
    return std::optional<CurveId>();
  }
  if (!found->is_string()) {
    return invalid_input("curve: not a string");
  }
  std::string name;
  for (const char c : found->get_ref<const std::string&>()) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name.push_back(static_cast<char>(std::toupper(static_cast<unsigned char>(c))));
    }
  }
  if (name == "BN128" || name == "BN254" || name == "ALTBN128") {
    return std::optional(CurveId::kBn254);
  }
  if (name == "BLS12381") {
    return std::optional(CurveId::kBls12_381);
  }
  return invalid_input("curve: unknown, expected bn128 or bls12381");
}

}  // namespace baton::json
