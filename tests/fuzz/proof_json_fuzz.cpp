#include "shared/formats/proof_json.hpp"
#include "tests/fuzz/fuzz_input.hpp"

/// What was read and is written again must read as the same text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const auto curve : {baton::CurveId::kBn254, baton::CurveId::kBls12_381}) {
    const auto proof = baton::parse_proof_json(baton::fuzz::text_of(data, size), curve);
    if (!proof) {
      continue;
    }
    const std::string text = baton::write_proof_json(*proof);
    const auto again = baton::parse_proof_json(text, curve);
    if (!again || baton::write_proof_json(*again) != text) {
      __builtin_trap();
    }
  }
  return 0;
}
