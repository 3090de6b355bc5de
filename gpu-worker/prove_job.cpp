#include "gpu-worker/prove_job.hpp"

#include <string>
#include <vector>

#include "gpu-worker/resident_report.hpp"
#include "shared/contract/codec.hpp"
#include "shared/formats/prime_field.hpp"
#include "shared/formats/proof_bytes.hpp"
#include "shared/support/clock.hpp"
#include "shared/support/fault_point.hpp"
#include "shared/worker/worker_messages.hpp"

namespace baton {

namespace {

struct Failure {
  wire::ProveFailure kind = wire::PROVE_FAILURE_TRANSIENT;
  Status status;
};

/// One PROVE from its slot to its answer.
class ProveJob {
 public:
  ProveJob(const ProveContext& context, unsigned lane, const wire::Prove& request, const AttachedSlot& slot,
           const Ledger& ledger)
      : context_(context), lane_(lane), request_(request), slot_(slot), ledger_(ledger) {}

  ProveOutcome run(const std::function<void()>& uploaded);

 private:
  std::optional<Failure> open();
  std::optional<Failure> find_key();
  std::optional<Failure> compute(const std::function<void()>& uploaded, ProofSums& sums);
  std::optional<Failure> assemble_and_check(const ProofSums& sums);
  /// Why the check failed, by proving once more.
  Failure diagnose(const ProofSums& sums);

  [[nodiscard]] bool slot_is_still_ours() const noexcept;
  [[nodiscard]] Result<Verdict> verify(const AnyProof& proof) const;
  [[nodiscard]] wire::Envelope proved() const;
  [[nodiscard]] ProveOutcome failed(const Failure& failure) const;

  const ProveContext& context_;
  const unsigned lane_;
  const wire::Prove& request_;
  const AttachedSlot& slot_;
  const Ledger& ledger_;

  Stopwatch total_;
  std::optional<SlotReader> reader_;
  const CircuitKey* key_ = nullptr;
  std::string publics_;  ///< copied out of the slot before anybody may write to it again
  ProofTimings timings_;
  double assemble_ms_ = 0;
  double verify_ms_ = 0;
  std::optional<AnyProof> proof_;
};

wire::ProveFailure kind_of(StatusCode code) {
  switch (code) {
    case StatusCode::kInvalidInput:
    case StatusCode::kUnsatisfied:
      return wire::PROVE_FAILURE_INPUT;
    case StatusCode::kCorrupt:
      return wire::PROVE_FAILURE_CORRUPT;
    case StatusCode::kGpuSticky:
      return wire::PROVE_FAILURE_STICKY;
    default:
      return wire::PROVE_FAILURE_TRANSIENT;
  }
}

ProveOutcome ProveJob::run(const std::function<void()>& uploaded) {
  if (auto failure = open()) {
    return failed(*failure);
  }
  if (auto failure = find_key()) {
    return failed(*failure);
  }
  ProofSums sums;
  if (auto failure = compute(uploaded, sums)) {
    return failed(*failure);
  }
  if (fault_point("gpu.sums") == FaultAction::kCorrupt) {
    sums.a[0] ^= std::byte{1};
  }
  if (auto failure = assemble_and_check(sums)) {
    return failed(*failure);
  }
  fault_point("gpu.before_proved");
  return {proved(), false};
}

std::optional<Failure> ProveJob::open() {
  ProveExpectation expected;
  expected.fill_generation = request_.fill_generation();
  expected.job = request_.attempt().job();
  expected.input_digest = digest_from_wire(request_.input_digest());
  expected.circuit_fingerprint = digest_from_wire(request_.circuit().fingerprint());
  expected.curve = request_.circuit().curve();
  auto reader = SlotReader::open(slot_.segment.bytes(), slot_.identity, expected);
  if (!reader.is_ok()) {
    return Failure{wire::PROVE_FAILURE_CORRUPT, reader.status()};
  }
  reader_ = *reader;
  const auto w = reader_->section(SlotSection::kW);
  const std::size_t bytes = reader_->shape().n_public * kSlotScalarBytes;
  publics_.assign(reinterpret_cast<const char*>(w.data()) + kSlotScalarBytes, bytes);
  return std::nullopt;
}

std::optional<Failure> ProveJob::find_key() {
  const auto key = context_.keys.ensure(request_.circuit());
  if (!key.is_ok()) {
    return Failure{kind_of(key.status().code()), key.status()};
  }
  key_ = *key;
  const ProvingKeyHeader& header = key_->header;
  const CircuitShape& shape = reader_->shape();
  if (header.n_vars != shape.n_vars || header.n_public != shape.n_public ||
      header.domain_size != shape.domain_size) {
    return Failure{wire::PROVE_FAILURE_CORRUPT, {StatusCode::kCorrupt, "the slot is not this key's circuit"}};
  }
  return std::nullopt;
}

std::optional<Failure> ProveJob::compute(const std::function<void()>& uploaded, ProofSums& sums) {
  const ProofInput input{reader_->section(SlotSection::kW), reader_->section(SlotSection::kA),
                         reader_->section(SlotSection::kB), reader_->section(SlotSection::kC)};
  const KeyId id = request_.circuit().id();
  auto result = context_.backend.prove(lane_, id, input, uploaded, timings_);
  if (result.status().code() == StatusCode::kNotFound) {
    // The key was evicted between the look and the proof.
    if (auto failure = find_key()) {
      return failure;
    }
    result = context_.backend.prove(lane_, id, input, uploaded, timings_);
  }
  if (!result.is_ok()) {
    return Failure{kind_of(result.status().code()), result.status()};
  }
  sums = *result;
  return std::nullopt;
}

std::optional<Failure> ProveJob::assemble_and_check(const ProofSums& sums) {
  if (!context_.check_proofs) {
    return std::nullopt;
  }
  Stopwatch watch;
  const Result<Blinding> blinding =
      context_.fixed_blinding ? *context_.fixed_blinding : random_blinding(key_->header.curve);
  if (!blinding.is_ok()) {
    return Failure{wire::PROVE_FAILURE_TRANSIENT, blinding.status()};
  }
  const auto proof = assemble_proof(key_->header, sums, *blinding);
  if (!proof.is_ok()) {
    return Failure{wire::PROVE_FAILURE_TRANSIENT, proof.status()};
  }
  assemble_ms_ = watch.milliseconds();
  watch.restart();
  const auto verdict = verify(*proof);
  verify_ms_ = watch.milliseconds();
  if (!verdict.is_ok()) {
    return Failure{wire::PROVE_FAILURE_TRANSIENT, verdict.status()};
  }
  if (!verdict->valid) {
    return diagnose(sums);
  }
  proof_ = *proof;
  return std::nullopt;
}

Failure ProveJob::diagnose(const ProofSums& sums) {
  const Failure given_away{wire::PROVE_FAILURE_TRANSIENT,
                           {StatusCode::kGpuTransient, "the proof failed its check, and its slot is gone"}};
  if (!slot_is_still_ours()) {
    return given_away;
  }
  ProofSums again;
  const auto failure = compute([] {}, again);
  const Status intact = reader_->verify_checksums();
  // Whoever is given the slot writes the ledger before the bytes: unchanged now means unchanged all along.
  if (!slot_is_still_ours()) {
    return given_away;
  }
  if (failure) {
    return *failure;
  }
  if (!intact.is_ok()) {
    return {wire::PROVE_FAILURE_CORRUPT, intact};
  }
  if (again == sums) {
    return {wire::PROVE_FAILURE_INPUT,
            {StatusCode::kUnsatisfied, "the witness does not satisfy the circuit"}};
  }
  return {wire::PROVE_FAILURE_DEVICE,
          {StatusCode::kGpuTransient, "two runs over the same slot gave different sums"}};
}

bool ProveJob::slot_is_still_ours() const noexcept {
  const LedgerWord word = unpack(load_acquire(ledger_.slots[request_.lease().slot()].word));
  return word.generation == request_.lease().generation() &&
         (word.state == SlotState::kProving || word.state == SlotState::kUploaded);
}

Result<Verdict> ProveJob::verify(const AnyProof& proof) const {
  return std::visit(
      [this]<class Curve>(const Verifier<Curve>& verifier, const auto& points) -> Result<Verdict> {
        if constexpr (std::is_same_v<std::decay_t<decltype(points)>, Proof<Curve>>) {
          std::vector<typename Curve::Fr> publics;
          for (std::size_t i = 0; i < publics_.size(); i += kSlotScalarBytes) {
            const auto value = load_integer<4>(reinterpret_cast<const std::byte*>(publics_.data()) + i);
            const auto element = Curve::Fr::from_canonical(value);
            if (!element) {
              return invalid_input("a public signal is not below r");
            }
            publics.push_back(*element);
          }
          return verifier.verify(points, publics);
        } else {
          return internal_error("a proof of another curve than its key");
        }
      },
      key_->verifier, proof);
}

wire::Envelope ProveJob::proved() const {
  wire::Envelope envelope;
  wire::Proved& reply = *envelope.mutable_proved();
  *reply.mutable_lease() = request_.lease();
  *reply.mutable_attempt() = request_.attempt();
  if (proof_) {
    reply.set_proof(to_proof_bytes(*proof_));
  }
  reply.set_publics(publics_);
  reply.set_device(bounded_text(context_.backend.description()));
  report_resident_keys(context_.backend, reply);
  wire::ProveTimings& timings = *reply.mutable_timings();
  timings.set_wait_ms(timings_.wait_ms);
  timings.set_copy_ms(timings_.copy_ms);
  timings.set_copy_bytes(timings_.copy_bytes);
  timings.set_ntt_ms(timings_.ntt_ms);
  timings.set_msm_a_ms(timings_.msm_a_ms);
  timings.set_msm_b1_ms(timings_.msm_b1_ms);
  timings.set_msm_b2_ms(timings_.msm_b2_ms);
  timings.set_msm_ch_ms(timings_.msm_ch_ms);
  timings.set_compute_ms(timings_.compute_ms);
  timings.set_assemble_ms(assemble_ms_);
  timings.set_verify_ms(verify_ms_);
  timings.set_total_ms(total_.milliseconds());
  return envelope;
}

ProveOutcome ProveJob::failed(const Failure& failure) const {
  return {
      prove_failed(from_wire(request_.lease()), from_wire(request_.attempt()), failure.kind, failure.status),
      failure.kind == wire::PROVE_FAILURE_STICKY};
}

}  // namespace

ProveOutcome prove_job(const ProveContext& context, unsigned lane, const wire::Prove& request,
                       const AttachedSlot& slot, const Ledger& ledger,
                       const std::function<void()>& uploaded) {
  return ProveJob(context, lane, request, slot, ledger).run(uploaded);
}

}  // namespace baton
