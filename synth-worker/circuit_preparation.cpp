#include "synth-worker/circuit_preparation.hpp"

#include <sys/stat.h>

#include <optional>
#include <vector>

#include "shared/contract/codec.hpp"
#include "shared/formats/proving_key_file.hpp"
#include "shared/formats/r1cs_file.hpp"
#include "shared/groth16/key_check.hpp"
#include "shared/segments/slot_segment.hpp"
#include "shared/support/clock.hpp"
#include "shared/support/hash.hpp"
#include "shared/support/posix.hpp"

namespace baton {

namespace {

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

/// Names the pair of files by what they were when they were opened, and the key also by its own header: the
/// same circuit gets the same name in every process, an edited file another one.
Digest128 fingerprint_of(const ProvingKeyFile& key, const R1csFile* r1cs) {
  const ProvingKeyHeader& header = key.header();
  const std::uint64_t counts[] = {static_cast<std::uint64_t>(header.curve), header.n_vars, header.n_public,
                                  header.domain_size};
  Hasher hasher;
  hasher.update(bytes_of(key.identity()));
  hasher.update(bytes_of(counts));
  hasher.update(bytes_of(header.alpha1));
  hasher.update(bytes_of(header.delta1));
  hasher.update(bytes_of(header.delta2));
  hasher.update(key.ic());
  hasher.update(bytes_of(r1cs != nullptr ? r1cs->identity() : FileIdentity{}));
  return hasher.digest128();
}

std::string hex(const Digest128& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : to_digest(digest)) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

void set_identity(const FileIdentity& identity, wire::FileIdentity* out) {
  out->set_device(identity.device);
  out->set_inode(identity.inode);
  out->set_size(identity.size);
  out->set_mtime_ns(identity.mtime_ns);
}

Result<std::optional<R1csFile>> open_r1cs(const std::string& path) {
  if (path.empty()) {
    return std::optional<R1csFile>();
  }
  BATON_ASSIGN_OR_RETURN(R1csFile r1cs, R1csFile::open(path, FileAccess::kMap));
  return std::optional(std::move(r1cs));
}

/// The compiled constraints from the cache, or compiled now and put there.
Result<ConstraintMatrix> load_or_compile(const ProvingKeyFile& key, const R1csFile* r1cs,
                                         const Digest128& fingerprint, const std::string& path) {
  auto cached = ConstraintMatrix::map(path, fingerprint);
  if (cached.is_ok()) {
    return cached;
  }
  BATON_ASSIGN_OR_RETURN(const ConstraintMatrix compiled, ConstraintMatrix::compile(key, r1cs, fingerprint));
  BATON_RETURN_IF_ERROR(compiled.write(path));
  return ConstraintMatrix::map(path, fingerprint);
}

void describe(const ProvingKeyFile& key, const ConstraintMatrix& matrix, wire::Circuit& circuit) {
  set_identity(key.identity(), circuit.mutable_key());
  circuit.set_curve(static_cast<std::uint32_t>(matrix.curve()));
  circuit.set_n_vars(matrix.n_vars());
  circuit.set_n_public(matrix.n_public());
  circuit.set_domain_size(matrix.domain_size());
  circuit.set_has_c(matrix.has_c());
  circuit.set_constraints(matrix.n_constraints());
  circuit.set_key_bytes(key.identity().size);
  if (key.is_forgeable()) {
    circuit.set_warning(bounded_text(key.name() +
                                     ": nobody has contributed to this key's ceremony; anybody can forge "
                                     "proofs for it"));
  }
}

}  // namespace

Result<PreparedCircuit> prepare_circuit(const wire::Circuit& request, bool full_check,
                                        const std::string& cache_directory) {
  const Stopwatch checking;
  BATON_ASSIGN_OR_RETURN(const ProvingKeyFile key,
                         ProvingKeyFile::open(request.source().key_path(), FileAccess::kMap));
  BATON_ASSIGN_OR_RETURN(const std::optional<R1csFile> r1cs, open_r1cs(request.source().r1cs_path()));
  const R1csFile* r1cs_file = r1cs ? &*r1cs : nullptr;
  if (full_check) {
    BATON_RETURN_IF_ERROR(check_key_points(key.view(), PointCheck::kSubgroup).with_context(key.name()));
  }
  const double check_ms = checking.milliseconds();
  const Stopwatch compiling;
  const Digest128 fingerprint = fingerprint_of(key, r1cs_file);
  const std::string path = cache_directory + "/" + hex(fingerprint) + ".constraints";
  BATON_ASSIGN_OR_RETURN(ConstraintMatrix matrix, load_or_compile(key, r1cs_file, fingerprint, path));
  PreparedCircuit prepared{request, std::move(matrix), check_ms, compiling.milliseconds()};
  describe(key, prepared.matrix, prepared.circuit);
  prepared.circuit.set_fingerprint(digest_to_wire(to_digest(fingerprint)));
  prepared.circuit.set_cache_path(path);
  return prepared;
}

Status check_key_unchanged(const wire::Circuit& circuit) {
  const std::string& path = circuit.source().key_path();
  const wire::FileIdentity& key = circuit.key();
  const Result<UniqueFd> file = open_regular_file(path);
  if (!file.is_ok()) {
    return Status::ok();
  }
  BATON_ASSIGN_OR_RETURN(const FileIdentity found, file_identity(file->get(), path));
  if (found != FileIdentity{key.device(), key.inode(), key.size(), key.mtime_ns()}) {
    return {StatusCode::kVersionMismatch, path + ": has changed since the circuit was prepared"};
  }
  return Status::ok();
}

Result<ConstraintMatrix> map_prepared_circuit(const wire::Circuit& circuit) {
  return ConstraintMatrix::map(circuit.cache_path(), from_digest(digest_from_wire(circuit.fingerprint())));
}

}  // namespace baton
