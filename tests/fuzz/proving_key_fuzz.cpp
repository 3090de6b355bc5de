#include "shared/formats/proving_key_file.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto key = baton::ProvingKeyFile::from_image(
      baton::FileImage::from_bytes("fuzz.zkey", baton::fuzz::copy_of(data, size)));
  if (!key) {
    return 0;
  }
  const auto& header = key->header();
  static_cast<void>(
      baton::check_coefficients(key->coefficients(), header.curve, header.n_vars, header.domain_size));
  static_cast<void>(key->verification_key());
  // Every span must lie inside the file that promised it.
  std::size_t promised = 0;
  for (const auto& section : {key->view().a, key->view().b1, key->view().b2, key->view().c, key->view().h}) {
    promised += section.size();
  }
  if (promised > size) {
    __builtin_trap();
  }
  return 0;
}
