#include <memory>

#include "shared/formats/witness_file.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = baton::fuzz::copy_of(data, size);
  const auto witness =
      baton::WitnessFile::from_source(std::make_unique<baton::MemorySource>("fuzz.wtns", bytes));
  if (witness) {
    // The header was believed, so the file backs this many bytes.
    std::vector<std::byte> values(std::size_t{witness->count()} * baton::kScalarBytes);
    static_cast<void>(witness->read_values(values));
  }
  return 0;
}
