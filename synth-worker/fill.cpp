#include "synth-worker/fill.hpp"

#include <oneapi/tbb/parallel_invoke.h>
#include <poll.h>

#include "shared/contract/codec.hpp"
#include "shared/formats/witness_file.hpp"
#include "shared/support/fault_point.hpp"
#include "shared/support/hash.hpp"
#include "synth-worker/constraint_evaluator.hpp"
#include "synth-worker/witness_program.hpp"

namespace baton {

namespace {

constexpr std::uint64_t kWitnessOverheadBytes = 4096;  ///< header and section table of a .wtns

Status check_wanted(int cancel_fd) {
  pollfd entry{cancel_fd, POLLIN, 0};
  if (::poll(&entry, 1, 0) == 1) {
    return {StatusCode::kCancelled, "cancelled"};
  }
  return Status::ok();
}

Result<WitnessFile> run_program(const wire::Fill& fill, Instant received, int cancel_fd,
                                const std::string& guard) {
  WitnessProgramRun run;
  run.program =
      fill.witness_program().empty() ? fill.circuit().source().witness_program() : fill.witness_program();
  if (run.program.empty()) {
    return invalid_input("the circuit has no witness program: give a witness file");
  }
  if (fill.source_case() == wire::Fill::kInputPath) {
    run.input_path = fill.input_path();
  } else {
    run.input_bytes = std::as_bytes(std::span(fill.input_bytes().data(), fill.input_bytes().size()));
  }
  run.max_output_bytes = fill.circuit().n_vars() * kSlotScalarBytes + kWitnessOverheadBytes;
  if (fill.deadline_ms() != 0) {
    run.deadline = received + Milliseconds(fill.deadline_ms());
  }
  run.cancel_fd = cancel_fd;
  run.guard = guard;
  BATON_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, run_witness_program(run));
  return WitnessFile::from_source(std::move(source));
}

Result<WitnessFile> open_witness(const wire::Fill& fill, Instant received, int cancel_fd,
                                 const std::string& guard) {
  if (fill.source_case() == wire::Fill::kWitnessPath) {
    return WitnessFile::open(fill.witness_path());
  }
  return run_program(fill, received, cancel_fd, guard);
}

FillDescription describe(const wire::Fill& fill, const ConstraintMatrix& matrix) {
  FillDescription description;
  description.generation = fill.lease().generation();
  description.job = fill.attempt().job();
  description.circuit_fingerprint = digest_from_wire(fill.circuit().fingerprint());
  description.curve = static_cast<std::uint32_t>(matrix.curve());
  description.shape = {matrix.n_vars(), matrix.n_public(), matrix.domain_size(), matrix.has_c()};
  return description;
}

/// Checksums of all sections, each on a thread of its own; the digest of the witness.
Digest checksum_sections(SlotWriter& writer) {
  Digest128 digest;
  const auto products = [&writer](SlotSection section) {
    const std::span<const std::byte> bytes = writer.section(section);
    if (!bytes.empty()) {
      writer.set_checksum(section, hash64(bytes));
    }
  };
  oneapi::tbb::parallel_invoke(
      [&] {
        Hasher hasher;
        hasher.update(writer.section(SlotSection::kW));
        digest = hasher.digest128();
        writer.set_checksum(SlotSection::kW, hasher.digest64());
      },
      [&] { products(SlotSection::kA); }, [&] { products(SlotSection::kB); },
      [&] { products(SlotSection::kC); });
  return to_digest(digest);
}

}  // namespace

Result<FillResult> fill_slot(const wire::Fill& fill, const ConstraintMatrix& matrix,
                             std::span<std::byte> segment, const SlotIdentity& identity, Instant received,
                             int cancel_fd, const std::string& guard) {
  FillResult result;
  Stopwatch watch;
  BATON_RETURN_IF_ERROR(check_wanted(cancel_fd));
  BATON_ASSIGN_OR_RETURN(const WitnessFile witness, open_witness(fill, received, cancel_fd, guard));
  result.timings.set_program_ms(watch.milliseconds());
  watch.restart();
  BATON_RETURN_IF_ERROR(witness.check_fits(matrix.curve(), matrix.n_vars()));
  BATON_ASSIGN_OR_RETURN(SlotWriter writer, SlotWriter::begin(segment, identity, describe(fill, matrix)));
  BATON_RETURN_IF_ERROR(witness.read_values(writer.section(SlotSection::kW)));
  result.timings.set_read_ms(watch.milliseconds());
  watch.restart();
  BATON_RETURN_IF_ERROR(check_wanted(cancel_fd));
  BATON_RETURN_IF_ERROR(fault_status("synth.between_sections"));
  BATON_RETURN_IF_ERROR(evaluate_constraints(
      matrix, writer.section(SlotSection::kW),
      {writer.section(SlotSection::kA), writer.section(SlotSection::kB), writer.section(SlotSection::kC)}));
  result.timings.set_evaluate_ms(watch.milliseconds());
  watch.restart();
  BATON_RETURN_IF_ERROR(check_wanted(cancel_fd));
  result.input_digest = checksum_sections(writer);
  BATON_RETURN_IF_ERROR(fault_status("synth.before_seal"));
  writer.seal(result.input_digest);
  if (fault_point("synth.after_seal") == FaultAction::kCorrupt) {
    writer.section(SlotSection::kA)[0] ^= std::byte{1};
  }
  result.timings.set_seal_ms(watch.milliseconds());
  return result;
}

}  // namespace baton
