#include "shared/formats/r1cs_file.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = baton::R1csFile::from_image(
      baton::FileImage::from_bytes("fuzz.r1cs", baton::fuzz::copy_of(data, size)));
  if (!file) {
    return 0;
  }
  baton::R1csFile::Cursor cursor(*file);
  baton::Constraint constraint;
  std::uint64_t wires = 0;
  for (auto more = cursor.next(constraint); more && *more; more = cursor.next(constraint)) {
    for (const auto& side : {constraint.a, constraint.b, constraint.c}) {
      for (std::size_t i = 0; i < side.size(); ++i) {
        wires += side[i].wire;
        if (side[i].wire >= file->header().n_wires) {
          __builtin_trap();
        }
      }
    }
  }
  return wires == ~std::uint64_t{0} ? 1 : 0;
}
