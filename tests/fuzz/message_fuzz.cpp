#include "shared/contract/codec.hpp"
#include "tests/fuzz/fuzz_input.hpp"

/// What decode takes, encode must take too, and the result must decode again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto envelope = baton::decode(baton::fuzz::bytes_of(data, size));
  if (!envelope) {
    return 0;
  }
  const auto frame = baton::encode(*envelope);
  if (!frame || !baton::decode(*frame)) {
    __builtin_trap();
  }
  return 0;
}
