#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "shared/contract/messages.pb.h"
#include "shared/formats/proof_bytes.hpp"
#include "shared/formats/verification_key_json.hpp"
#include "shared/groth16/verify.hpp"
#include "tests/support/process_under_test.hpp"
#include "tests/support/temporary_directory.hpp"

namespace baton::test {

/// Key, witness, constraints and verification key of a circuit that baton-fixture has made.
struct CircuitFiles {
  std::string prefix;
  [[nodiscard]] std::string key() const { return prefix + ".zkey"; }
  [[nodiscard]] std::string witness() const { return prefix + ".wtns"; }
  [[nodiscard]] std::string r1cs() const { return prefix + ".r1cs"; }
};

inline CircuitFiles make_circuit(const TemporaryDirectory& directory, const std::string& shape, int k,
                                 const std::string& curve) {
  CircuitFiles files{directory.file(shape + std::to_string(k) + curve)};
  ProcessUnderTest fixture("baton-fixture", {shape, std::to_string(k), files.prefix, "--curve", curve});
  const auto exit = fixture.wait_for_exit();
  EXPECT_TRUE(exit && exit->success()) << fixture.output();
  return files;
}

/// Changes one bit of a file.
inline void flip_bit(const std::string& path, std::uint64_t offset) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(offset));
  file.put(static_cast<char>(byte ^ 1));
}

/// Whether the reply carries a proof that the circuit's verification key accepts.
inline bool is_proved(const wire::JobReply& reply, const CircuitFiles& files) {
  if (reply.state() != wire::JOB_DONE) {
    ADD_FAILURE() << "job " << reply.job() << " ended in state " << reply.state() << ": " << reply.text();
    return false;
  }
  const auto curve = static_cast<CurveId>(reply.curve());
  const AnyVerificationKey key = read_verification_key_json(files.prefix + ".vkey.json").value();
  const AnyProof proof = parse_proof_bytes(curve, reply.proof()).value();
  const PublicSignals publics = parse_public_bytes(curve, reply.publics()).value();
  const auto check = [&]<class Curve>(const VerificationKey<Curve>& vk) {
    std::vector<typename Curve::Fr> signals;
    for (const BigInt<4>& value : publics) {
      signals.push_back(Curve::Fr::from_canonical(value).value());
    }
    return Verifier<Curve>::create(vk).value().verify(std::get<Proof<Curve>>(proof), signals).value().valid;
  };
  return std::visit(check, key);
}

}  // namespace baton::test
