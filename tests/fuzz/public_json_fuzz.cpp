#include "shared/formats/public_json.hpp"
#include "tests/fuzz/fuzz_input.hpp"

/// What was read and is written again must read as the same values.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const auto curve : {baton::CurveId::kBn254, baton::CurveId::kBls12_381}) {
    const auto signals = baton::parse_public_json(baton::fuzz::text_of(data, size), curve);
    if (!signals) {
      continue;
    }
    const auto again = baton::parse_public_json(baton::write_public_json(*signals), curve);
    if (!again || *again != *signals) {
      __builtin_trap();
    }
  }
  return 0;
}
