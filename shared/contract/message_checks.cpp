#include "shared/contract/message_checks.hpp"

#include <string>
#include <string_view>

#include "shared/contract/codec.hpp"
#include "shared/support/result.hpp"

namespace baton {

namespace {

Status out_of_range(std::string_view field, std::string_view expected, std::uint64_t found) {
  return {StatusCode::kCorrupt, "message field " + std::string(field) + ": expected " +
                                    std::string(expected) + ", found " + std::to_string(found)};
}

Status at_most(std::string_view field, std::uint64_t value, std::uint64_t limit) {
  return value <= limit ? Status::ok() : out_of_range(field, "at most " + std::to_string(limit), value);
}

Status text(std::string_view field, std::string_view value, std::size_t limit) {
  if (value.find('\0') != std::string_view::npos) {
    return {StatusCode::kCorrupt, "message field " + std::string(field) + ": expected no NUL byte"};
  }
  return at_most(std::string(field) + " length", value.size(), limit);
}

Status path(std::string_view field, std::string_view value) {
  if (!value.empty() && value.front() != '/') {
    return {StatusCode::kCorrupt, "message field " + std::string(field) + ": expected an absolute path"};
  }
  return text(field, value, kMaxPath);
}

Status digest(std::string_view field, std::string_view value) {
  return value.size() == sizeof(Digest) ? Status::ok() : out_of_range(field, "16 bytes", value.size());
}

Status code(std::uint32_t value) {
  return at_most("code", value, static_cast<std::uint32_t>(StatusCode::kInternal));
}

Status code_and_text(std::uint32_t value, std::string_view message) {
  BATON_RETURN_IF_ERROR(code(value));
  return text("text", message, kMaxText);
}

Status slot(std::uint32_t value) {
  return at_most("slot", value, kMaxSlots - 1);
}
Status role(int value) {
  return value == wire::ROLE_SYNTH || value == wire::ROLE_GPU
             ? Status::ok()
             : out_of_range("role", "1 or 2", static_cast<std::uint64_t>(value));
}

Status keys(int count) {
  return at_most("keys", static_cast<std::uint64_t>(count), 4096);
}

Status check(const wire::Lease& lease) {
  BATON_RETURN_IF_ERROR(slot(lease.slot()));
  return at_most("generation", lease.generation(), kMaxGeneration);
}

Status check(const wire::Attempt& attempt) {
  BATON_RETURN_IF_ERROR(at_most("epoch", attempt.epoch(), 0xffff));
  const std::uint64_t limit = (attempt.job() & kPrepareJobBit) != 0 ? kPrepareJobBit | 0xffffffff : kMaxJobId;
  return at_most("job", attempt.job(), limit);
}

Status check(const wire::CircuitSource& source) {
  BATON_RETURN_IF_ERROR(path("key_path", source.key_path()));
  BATON_RETURN_IF_ERROR(path("r1cs_path", source.r1cs_path()));
  return path("witness_program", source.witness_program());
}

Status check(const wire::Circuit& circuit) {
  BATON_RETURN_IF_ERROR(check(circuit.source()));
  BATON_RETURN_IF_ERROR(path("cache_path", circuit.cache_path()));
  BATON_RETURN_IF_ERROR(text("warning", circuit.warning(), kMaxText));
  return at_most("curve", circuit.curve(), 2);
}

/// A circuit that has been prepared: counts may be used to compute sizes.
Status check_prepared(const wire::Circuit& circuit) {
  BATON_RETURN_IF_ERROR(check(circuit));
  BATON_RETURN_IF_ERROR(digest("fingerprint", circuit.fingerprint()));
  if (circuit.curve() == 0) {
    return out_of_range("curve", "1 or 2", 0);
  }
  if (!is_valid(shape_of(circuit))) {
    return out_of_range("domain_size", "a power of two with n_public < n_vars", circuit.domain_size());
  }
  return Status::ok();
}

Status check(const wire::Hello& hello) {
  BATON_RETURN_IF_ERROR(role(hello.role()));
  BATON_RETURN_IF_ERROR(at_most("pid", hello.pid(), 0x7fffffff));
  BATON_RETURN_IF_ERROR(at_most("epoch", hello.epoch(), 0xffff));
  BATON_RETURN_IF_ERROR(at_most("lanes", hello.lanes(), 64));
  BATON_RETURN_IF_ERROR(text("backend", hello.backend(), kMaxText));
  BATON_RETURN_IF_ERROR(at_most("held", static_cast<std::uint64_t>(hello.held_size()), kMaxSlots));
  BATON_RETURN_IF_ERROR(at_most("running", static_cast<std::uint64_t>(hello.running_size()), kMaxSlots));
  BATON_RETURN_IF_ERROR(
      at_most("attached", static_cast<std::uint64_t>(hello.attached_size()), 2 * kMaxSlots));
  BATON_RETURN_IF_ERROR(keys(hello.keys_size()));
  for (const wire::HeldLease& held : hello.held()) {
    BATON_RETURN_IF_ERROR(check(held.lease()));
    BATON_RETURN_IF_ERROR(check(held.attempt()));
  }
  for (const wire::Attempt& attempt : hello.running()) {
    BATON_RETURN_IF_ERROR(check(attempt));
  }
  for (const wire::AttachedSegment& segment : hello.attached()) {
    BATON_RETURN_IF_ERROR(slot(segment.slot()));
  }
  return Status::ok();
}

Status check(const wire::Welcome& welcome) {
  BATON_RETURN_IF_ERROR(at_most("epoch", welcome.epoch(), 0xffff));
  BATON_RETURN_IF_ERROR(path("shm_directory", welcome.shm_directory()));
  BATON_RETURN_IF_ERROR(path("cache_directory", welcome.cache_directory()));
  return text("ledger_name", welcome.ledger_name(), kMaxName);
}

Status check(const wire::Reject& reject) {
  return code_and_text(reject.code(), reject.text());
}

Status check(const wire::Attach& attach) {
  BATON_RETURN_IF_ERROR(slot(attach.slot()));
  return text("name", attach.name(), kMaxName);
}
Status check(const wire::Attached& attached) {
  BATON_RETURN_IF_ERROR(slot(attached.slot()));
  return code_and_text(attached.code(), attached.text());
}
Status check(const wire::Detach& detach) {
  return slot(detach.slot());
}
Status check(const wire::Detached& detached) {
  return slot(detached.slot());
}

Status check(const wire::Prepare& prepare) {
  BATON_RETURN_IF_ERROR(check(prepare.attempt()));
  return check(prepare.circuit());
}
Status check(const wire::Prepared& prepared) {
  BATON_RETURN_IF_ERROR(check(prepared.attempt()));
  return check_prepared(prepared.circuit());
}
Status check(const wire::PrepareFailed& failed) {
  BATON_RETURN_IF_ERROR(check(failed.attempt()));
  return code_and_text(failed.code(), failed.text());
}
Status check(const wire::Preload& preload) {
  return check(preload.circuit());
}
Status check(const wire::Preloaded& preloaded) {
  BATON_RETURN_IF_ERROR(keys(preloaded.keys_size()));
  BATON_RETURN_IF_ERROR(text("backend", preloaded.backend(), kMaxText));
  return code_and_text(preloaded.code(), preloaded.text());
}
Status check(const wire::Unload&) {
  return Status::ok();
}

Status check(const wire::Fill& fill) {
  BATON_RETURN_IF_ERROR(check(fill.lease()));
  BATON_RETURN_IF_ERROR(check(fill.attempt()));
  BATON_RETURN_IF_ERROR(check_prepared(fill.circuit()));
  BATON_RETURN_IF_ERROR(path("witness_path", fill.witness_path()));
  BATON_RETURN_IF_ERROR(path("input_path", fill.input_path()));
  BATON_RETURN_IF_ERROR(path("witness_program", fill.witness_program()));
  return at_most("input_bytes length", fill.input_bytes().size(), kMaxInputBytes);
}
Status check(const wire::Filled& filled) {
  BATON_RETURN_IF_ERROR(check(filled.lease()));
  BATON_RETURN_IF_ERROR(check(filled.attempt()));
  return digest("input_digest", filled.input_digest());
}
Status check(const wire::FillFailed& failed) {
  BATON_RETURN_IF_ERROR(check(failed.lease()));
  BATON_RETURN_IF_ERROR(check(failed.attempt()));
  return code_and_text(failed.code(), failed.text());
}
Status check(const wire::Prove& prove) {
  BATON_RETURN_IF_ERROR(check(prove.lease()));
  BATON_RETURN_IF_ERROR(check(prove.attempt()));
  BATON_RETURN_IF_ERROR(check_prepared(prove.circuit()));
  BATON_RETURN_IF_ERROR(at_most("fill_generation", prove.fill_generation(), kMaxGeneration));
  return digest("input_digest", prove.input_digest());
}
Status check(const wire::Uploaded& uploaded) {
  BATON_RETURN_IF_ERROR(check(uploaded.lease()));
  return check(uploaded.attempt());
}
Status check_result(std::string_view proof, std::string_view publics) {
  BATON_RETURN_IF_ERROR(at_most("proof length", proof.size(), kMaxProofBytes));
  BATON_RETURN_IF_ERROR(at_most("publics length", publics.size(), kMaxPublicBytes));
  return publics.size() % kSlotScalarBytes == 0
             ? Status::ok()
             : out_of_range("publics length", "a multiple of 32", publics.size());
}
Status check(const wire::Proved& proved) {
  BATON_RETURN_IF_ERROR(check(proved.lease()));
  BATON_RETURN_IF_ERROR(check(proved.attempt()));
  BATON_RETURN_IF_ERROR(text("device", proved.device(), kMaxText));
  BATON_RETURN_IF_ERROR(keys(proved.keys_size()));
  return check_result(proved.proof(), proved.publics());
}
Status check(const wire::ProveFailed& failed) {
  BATON_RETURN_IF_ERROR(check(failed.lease()));
  BATON_RETURN_IF_ERROR(check(failed.attempt()));
  if (failed.failure() < wire::PROVE_FAILURE_TRANSIENT || failed.failure() > wire::PROVE_FAILURE_CANCELLED) {
    return out_of_range("failure", "1 to 6", static_cast<std::uint64_t>(failed.failure()));
  }
  return code_and_text(failed.code(), failed.text());
}
Status check(const wire::CancelAttempt& cancel) {
  return check(cancel.attempt());
}
Status check(const wire::Ack& ack) {
  return check(ack.attempt());
}
Status check(const wire::Shutdown&) {
  return Status::ok();
}
Status check(const wire::Bye& bye) {
  return code_and_text(bye.code(), bye.text());
}

Status name(std::string_view field, std::string_view value) {
  return text(field, value, kMaxName);
}

Status check(const wire::Submit& submit) {
  BATON_RETURN_IF_ERROR(name("key", submit.key()));
  BATON_RETURN_IF_ERROR(name("circuit_name", submit.circuit_name()));
  BATON_RETURN_IF_ERROR(check(submit.circuit_source()));
  BATON_RETURN_IF_ERROR(path("witness_path", submit.witness_path()));
  BATON_RETURN_IF_ERROR(path("input_path", submit.input_path()));
  BATON_RETURN_IF_ERROR(at_most("input_bytes length", submit.input_bytes().size(), kMaxInputBytes));
  return at_most("priority", static_cast<std::uint32_t>(submit.priority()), wire::PRIORITY_LOW);
}
Status check(const wire::Accepted& accepted) {
  return name("key", accepted.key());
}
Status check(const wire::Busy& busy) {
  return text("text", busy.text(), kMaxText);
}
Status check(const wire::Refused& refused) {
  return code_and_text(refused.code(), refused.text());
}
Status check(const wire::JobQuery& query) {
  return name("key", query.key());
}
Status check(const wire::JobWait& wait) {
  return name("key", wait.key());
}
Status check(const wire::CancelJob& cancel) {
  return name("key", cancel.key());
}
Status check(const wire::JobReply& reply) {
  BATON_RETURN_IF_ERROR(name("key", reply.key()));
  BATON_RETURN_IF_ERROR(at_most("state", static_cast<std::uint32_t>(reply.state()), wire::JOB_CANCELLED));
  BATON_RETURN_IF_ERROR(at_most("curve", reply.curve(), 2));
  BATON_RETURN_IF_ERROR(code_and_text(reply.code(), reply.text()));
  return check_result(reply.proof(), reply.publics());
}
Status check(const wire::JobList& list) {
  return at_most("limit", list.limit(), 10000);
}
Status check(const wire::JobListReply& reply) {
  return at_most("jobs", static_cast<std::uint64_t>(reply.jobs_size()), 10000);
}
Status check(const wire::CircuitAdd& add) {
  BATON_RETURN_IF_ERROR(name("name", add.name()));
  return check(add.source());
}
Status check(const wire::CircuitList&) {
  return Status::ok();
}
Status check(const wire::CircuitInfo& info) {
  return name("name", info.name());
}
Status check(const wire::CircuitRemove& remove) {
  return name("name", remove.name());
}
Status check(const wire::CircuitReply& reply) {
  for (const wire::CircuitEntry& entry : reply.circuits()) {
    BATON_RETURN_IF_ERROR(name("name", entry.name()));
    BATON_RETURN_IF_ERROR(check(entry.circuit()));
    BATON_RETURN_IF_ERROR(code_and_text(entry.code(), entry.text()));
  }
  return Status::ok();
}
Status check(const wire::StatusRequest&) {
  return Status::ok();
}
Status check(const wire::StatusReply& reply) {
  BATON_RETURN_IF_ERROR(at_most("workers", static_cast<std::uint64_t>(reply.workers_size()), kMaxWorkers));
  return at_most("slots", static_cast<std::uint64_t>(reply.slots_size()), kMaxSlots);
}
Status check(const wire::Drain&) {
  return Status::ok();
}
Status check(const wire::Done&) {
  return Status::ok();
}

}  // namespace

// One line for each kind.
Status check_message(const wire::Envelope& e) {
  using Kind = wire::Envelope::BodyCase;
  switch (e.body_case()) {
#define BATON_CHECK_KIND(kind, accessor) \
  case Kind::kind:                       \
    return check(e.accessor())
    BATON_CHECK_KIND(kHello, hello);
    BATON_CHECK_KIND(kWelcome, welcome);
    BATON_CHECK_KIND(kReject, reject);
    BATON_CHECK_KIND(kAttach, attach);
    BATON_CHECK_KIND(kAttached, attached);
    BATON_CHECK_KIND(kDetach, detach);
    BATON_CHECK_KIND(kDetached, detached);
    BATON_CHECK_KIND(kPrepare, prepare);
    BATON_CHECK_KIND(kPrepared, prepared);
    BATON_CHECK_KIND(kPrepareFailed, prepare_failed);
    BATON_CHECK_KIND(kPreload, preload);
    BATON_CHECK_KIND(kPreloaded, preloaded);
    BATON_CHECK_KIND(kUnload, unload);
    BATON_CHECK_KIND(kFill, fill);
    BATON_CHECK_KIND(kFilled, filled);
    BATON_CHECK_KIND(kFillFailed, fill_failed);
    BATON_CHECK_KIND(kProve, prove);
    BATON_CHECK_KIND(kUploaded, uploaded);
    BATON_CHECK_KIND(kProved, proved);
    BATON_CHECK_KIND(kProveFailed, prove_failed);
    BATON_CHECK_KIND(kCancelAttempt, cancel_attempt);
    BATON_CHECK_KIND(kAck, ack);
    BATON_CHECK_KIND(kShutdown, shutdown);
    BATON_CHECK_KIND(kBye, bye);
    BATON_CHECK_KIND(kSubmit, submit);
    BATON_CHECK_KIND(kAccepted, accepted);
    BATON_CHECK_KIND(kBusy, busy);
    BATON_CHECK_KIND(kRefused, refused);
    BATON_CHECK_KIND(kJobQuery, job_query);
    BATON_CHECK_KIND(kJobWait, job_wait);
    BATON_CHECK_KIND(kJobReply, job_reply);
    BATON_CHECK_KIND(kCancelJob, cancel_job);
    BATON_CHECK_KIND(kCircuitAdd, circuit_add);
    BATON_CHECK_KIND(kCircuitList, circuit_list);
    BATON_CHECK_KIND(kCircuitInfo, circuit_info);
    BATON_CHECK_KIND(kCircuitRemove, circuit_remove);
    BATON_CHECK_KIND(kCircuitReply, circuit_reply);
    BATON_CHECK_KIND(kStatusRequest, status_request);
    BATON_CHECK_KIND(kStatusReply, status_reply);
    BATON_CHECK_KIND(kDrain, drain);
    BATON_CHECK_KIND(kDone, done);
    BATON_CHECK_KIND(kJobList, job_list);
    BATON_CHECK_KIND(kJobListReply, job_list_reply);
#undef BATON_CHECK_KIND
    case Kind::BODY_NOT_SET:
      break;
  }
  return {StatusCode::kCorrupt, "message: expected a body, found none that this build knows"};
}

}  // namespace baton
