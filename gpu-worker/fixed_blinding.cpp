#include "gpu-worker/fixed_blinding.hpp"

#include <cstring>
#include <optional>

#include "shared/math/decimal.hpp"

namespace baton {

Result<Blinding> parse_fixed_blinding(std::string_view text) {
  const std::size_t comma = text.find(',');
  const std::optional<BigInt<4>> r = parse_decimal<4>(text.substr(0, comma));
  const std::optional<BigInt<4>> s =
      comma == std::string_view::npos ? std::nullopt : parse_decimal<4>(text.substr(comma + 1));
  if (!r || !s) {
    return invalid_input("fixed blinding: expected two decimal numbers \"r,s\"");
  }
  Blinding blinding;
  static_assert(sizeof r->limbs == sizeof blinding.r);
  std::memcpy(blinding.r.data(), r->limbs, sizeof r->limbs);
  std::memcpy(blinding.s.data(), s->limbs, sizeof s->limbs);
  return blinding;
}

}  // namespace baton
