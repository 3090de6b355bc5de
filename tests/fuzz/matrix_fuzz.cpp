#include <cstring>

#include "synth-worker/constraint_evaluator.hpp"
#include "synth-worker/matrix_layout.hpp"
#include "tests/fuzz/fuzz_input.hpp"

namespace {

constexpr std::uint32_t kLargestDomain = 1U << 16U;

}  // namespace

/// Makes the hashes of the file good, so that what lies behind them is reached: what is accepted then must be
/// safe to evaluate.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace baton;
  std::vector<std::byte> bytes = fuzz::copy_of(data, size);
  Digest128 fingerprint;
  if (size >= kMatrixPage) {
    MatrixFileHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    fingerprint = {header.fingerprint_low, header.fingerprint_high};
    header.file_bytes = size;
    std::memcpy(bytes.data(), &header, sizeof header);
    seal_matrix_file(bytes);
  }
  const auto matrix = ConstraintMatrix::from_image(FileImage::from_bytes("matrix", bytes), fingerprint);
  if (!matrix || matrix->domain_size() > kLargestDomain || matrix->n_vars() > kLargestDomain) {
    return 0;
  }
  const std::vector<std::byte> w(std::size_t{matrix->n_vars()} * 32, std::byte{1});
  std::vector<std::byte> out(std::size_t{matrix->domain_size()} * 32);
  const Status status = evaluate_constraints(*matrix, w, {out, {}, {}});
  if (!status.is_ok() && status.code() != StatusCode::kUnsatisfied) {
    __builtin_trap();
  }
  return 0;
}
