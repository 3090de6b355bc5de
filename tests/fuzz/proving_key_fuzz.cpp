#include "shared/formats/proving_key_file.hpp"
#include "synth-worker/constraint_evaluator.hpp"
#include "tests/fuzz/fuzz_input.hpp"

/// What is accepted must be usable: its matrices are compiled and evaluated.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto key = baton::ProvingKeyFile::from_image(
      baton::FileImage::from_bytes("fuzz.zkey", baton::fuzz::copy_of(data, size)));
  if (!key) {
    return 0;
  }
  static_cast<void>(key->verification_key());
  // Every span must lie inside the file that promised it.
  std::size_t promised = 0;
  for (const auto& section : {key->view().a, key->view().b1, key->view().b2, key->view().c, key->view().h}) {
    promised += section.size();
  }
  if (promised > size) {
    __builtin_trap();
  }
  const auto matrix = baton::ConstraintMatrix::compile(*key, nullptr, {});
  if (!matrix) {
    return 0;
  }
  const std::vector<std::byte> w(std::size_t{key->header().n_vars} * 32, std::byte{1});
  std::vector<std::byte> a(std::size_t{key->header().domain_size} * 32);
  std::vector<std::byte> b(a.size());
  if (!baton::evaluate_constraints(*matrix, w, {a, b, {}}).is_ok()) {
    __builtin_trap();
  }
  return 0;
}
