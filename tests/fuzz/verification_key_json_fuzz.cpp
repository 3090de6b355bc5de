#include "shared/formats/verification_key_json.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static_cast<void>(baton::parse_verification_key_json(baton::fuzz::text_of(data, size)));
  return 0;
}
