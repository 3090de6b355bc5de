#include <cstdio>

#include "client/commands.hpp"
#include "client/report.hpp"
#include "shared/formats/proving_key_file.hpp"
#include "shared/formats/verification_key_json.hpp"
#include "shared/groth16/pairing.hpp"
#include "shared/support/atomic_file.hpp"
#include "shared/support/exit_codes.hpp"
#include "shared/support/posix.hpp"

namespace baton {

namespace {

/// The coordinates of an element of the target field, in the order of vk_alphabeta_12.
template <class Curve>
AlphaBeta<Curve> coordinates(const Fp12<Curve>& element) {
  AlphaBeta<Curve> result;
  std::size_t next = 0;
  for (const auto* sextic : {&element.c0, &element.c1}) {
    for (const auto* quadratic : {&sextic->c0, &sextic->c1, &sextic->c2}) {
      result[next++] = quadratic->c0;
      result[next++] = quadratic->c1;
    }
  }
  return result;
}

template <class Curve>
std::string key_text(const VerificationKey<Curve>& key) {
  return write_verification_key_json<Curve>(key, coordinates(pairing<Curve>(key.alpha1, key.beta2)));
}

Status write_key(const VkeyOptions& options) {
  BATON_ASSIGN_OR_RETURN(const ProvingKeyFile file, ProvingKeyFile::open(options.key, FileAccess::kMap));
  if (file.ic().empty()) {
    return invalid_input(options.key + ": section 3 (IC) is missing: no verification key can be made");
  }
  const AnyVerificationKey key = file.verification_key();
  const std::string text = std::visit([](const auto& points) { return key_text(points); }, key);
  if (options.output.empty()) {
    return write_all(STDOUT_FILENO, text + "\n", "standard output");
  }
  return write_file_atomically(options.output, text);
}

}  // namespace

int run_command(const VkeyOptions& options) {
  const Status status = write_key(options);
  return status.is_ok() ? exit_code::kOk : report_failure(status);
}

}  // namespace baton
