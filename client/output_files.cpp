#include "client/output_files.hpp"

#include "shared/support/atomic_file.hpp"

namespace baton {

Status check_output_paths(const OutputPaths& paths) {
  BATON_ASSIGN_OR_RETURN(const AtomicFile proof, AtomicFile::create(paths.proof));
  BATON_ASSIGN_OR_RETURN(const AtomicFile publics, AtomicFile::create(paths.publics));
  if (paths.proof == paths.publics) {
    return invalid_input(paths.proof + ": given both for the proof and for the public signals");
  }
  return Status::ok();
}

Status write_outputs(const OutputPaths& paths, std::string_view proof, std::string_view publics) {
  BATON_ASSIGN_OR_RETURN(AtomicFile proof_file, AtomicFile::create(paths.proof));
  BATON_ASSIGN_OR_RETURN(AtomicFile public_file, AtomicFile::create(paths.publics));
  BATON_RETURN_IF_ERROR(proof_file.append(proof));
  BATON_RETURN_IF_ERROR(public_file.append(publics));
  BATON_RETURN_IF_ERROR(proof_file.sync());
  BATON_RETURN_IF_ERROR(public_file.sync());
  BATON_RETURN_IF_ERROR(public_file.commit());
  return proof_file.commit();
}

}  // namespace baton
