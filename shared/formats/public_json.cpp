#include "shared/formats/public_json.hpp"

#include "shared/formats/json_fields.hpp"
#include "shared/formats/prime_field.hpp"
#include "shared/support/posix.hpp"

namespace baton {

Result<PublicSignals> parse_public_json(std::string_view text, CurveId curve) {
  BATON_ASSIGN_OR_RETURN(const json::Json document, json::parse(text));
  if (!document.is_array()) {
    return invalid_input("not a JSON list");
  }
  const BigInt<4> modulus = scalar_modulus(curve);
  PublicSignals signals;
  signals.reserve(document.size());
  for (const json::Json& item : document) {
    auto value = json::take_integer<4>(item);
    if (!value) {
      return std::move(value).status().with_context(concat("value ", signals.size()));
    }
    if (!(*value < modulus)) {
      return invalid_input(concat("value ", signals.size(), ": not below r"));
    }
    signals.push_back(*value);
  }
  return signals;
}

Result<PublicSignals> read_public_json(const std::string& path, CurveId curve) {
  BATON_ASSIGN_OR_RETURN(const std::string text, read_small_file(path, json::kLargestFile));
  auto signals = parse_public_json(text, curve);
  if (!signals) {
    return std::move(signals).status().with_context(path);
  }
  return signals;
}

std::string write_public_json(std::span<const BigInt<4>> signals) {
  std::string text = "[";
  std::string_view separator = "\n";
  for (const BigInt<4>& signal : signals) {
    text.append(separator).append(" \"").append(to_decimal(signal)).append("\"");
    separator = ",\n";
  }
  return text.append("\n]");
}

}  // namespace baton
