#include <cstdio>
#include <string>

#include "synth-worker/constraint_matrix.hpp"
#include "tests/support/sample_circuit.hpp"

namespace baton {
namespace {

/// The compiled constraints of a small circuit, C included.
Status write_seed(const std::string& path, const test::SampleCircuit& circuit) {
  BATON_ASSIGN_OR_RETURN(const ProvingKeyFile key, ProvingKeyFile::from_image(FileImage::from_bytes(
                                                       "key", test::sample_key(circuit).bytes())));
  BATON_ASSIGN_OR_RETURN(const R1csFile r1cs, R1csFile::from_image(FileImage::from_bytes(
                                                  "circuit", test::sample_r1cs(circuit).bytes())));
  BATON_ASSIGN_OR_RETURN(const ConstraintMatrix matrix, ConstraintMatrix::compile(key, &r1cs, {1, 2}));
  return matrix.write(path);
}

Status write_seeds(const std::string& folder) {
  BATON_RETURN_IF_ERROR(write_seed(folder + "/bn128", test::chain_circuit(CurveId::kBn254, 3)));
  return write_seed(folder + "/bls12381", test::chain_circuit(CurveId::kBls12_381, 3));
}

}  // namespace
}  // namespace baton

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: matrix_seed FOLDER\n");
    return 2;
  }
  const baton::Status status = baton::write_seeds(argv[1]);
  if (!status.is_ok()) {
    std::fprintf(stderr, "matrix_seed: %s\n", status.message().c_str());
  }
  return status.is_ok() ? 0 : 1;
}
