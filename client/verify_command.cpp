#include <cstdio>
#include <vector>

#include "client/commands.hpp"
#include "client/report.hpp"
#include "shared/formats/proof_json.hpp"
#include "shared/formats/public_json.hpp"
#include "shared/formats/verification_key_json.hpp"
#include "shared/groth16/verify.hpp"
#include "shared/support/exit_codes.hpp"

namespace baton {

namespace {

template <class Curve>
Result<Verdict> verify(const VerificationKey<Curve>& key, const VerifyOptions& options) {
  auto verifier = Verifier<Curve>::create(key);
  if (!verifier.is_ok()) {
    return std::move(verifier).status().with_context(options.key);
  }
  BATON_ASSIGN_OR_RETURN(const PublicSignals values, read_public_json(options.publics, Curve::kId));
  BATON_ASSIGN_OR_RETURN(const AnyProof proof, read_proof_json(options.proof, Curve::kId));
  std::vector<typename Curve::Fr> signals;
  signals.reserve(values.size());
  for (const auto& value : values) {
    signals.push_back(Curve::Fr::from_canonical_unchecked(value));
  }
  Result<Verdict> verdict = verifier->verify(std::get<Proof<Curve>>(proof), signals);
  if (!verdict.is_ok()) {
    return std::move(verdict).status().with_context(options.publics);
  }
  return verdict;
}

Result<Verdict> verify_files(const VerifyOptions& options) {
  BATON_ASSIGN_OR_RETURN(const AnyVerificationKey key, read_verification_key_json(options.key));
  return std::visit([&](const auto& points) { return verify(points, options); }, key);
}

}  // namespace

int run_command(const VerifyOptions& options) {
  const Result<Verdict> verdict = verify_files(options);
  if (!verdict.is_ok()) {
    std::fprintf(stderr, "baton: %s\n", verdict.status().message().c_str());
    return exit_code::kBadInput;
  }
  if (!verdict->valid) {
    std::fprintf(stderr, "baton: %s: invalid proof: %.*s\n", options.proof.c_str(),
                 static_cast<int>(verdict->reason.size()), verdict->reason.data());
    return exit_code::kFailed;
  }
  if (!options.quiet) {
    std::printf("valid\n");
  }
  return exit_code::kOk;
}

}  // namespace baton
