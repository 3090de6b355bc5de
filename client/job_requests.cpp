#include "client/job_requests.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "shared/support/secure_random.hpp"

namespace baton {

namespace {

/// After so much silence the request is sent again: the coordinator may have been restarted.
constexpr Milliseconds kAskAgain{2000};

Result<std::string> absolute(const std::string& path) {
  std::error_code error;
  const auto result = std::filesystem::absolute(path, error);
  if (error) {
    return errno_status(path, error.value());
  }
  return result.lexically_normal().string();
}

Status set_circuit(const ProofFiles& files, wire::Submit& submit) {
  std::error_code ignored;
  if (files.r1cs.empty() && files.witness_program.empty() && !std::filesystem::exists(files.key, ignored) &&
      files.key.find('/') == std::string::npos && !files.key.ends_with(".zkey")) {
    submit.set_circuit_name(files.key);
    return Status::ok();
  }
  wire::CircuitSource& source = *submit.mutable_circuit_source();
  BATON_ASSIGN_OR_RETURN(*source.mutable_key_path(), absolute(files.key));
  if (!files.r1cs.empty()) {
    BATON_ASSIGN_OR_RETURN(*source.mutable_r1cs_path(), absolute(files.r1cs));
  }
  if (!files.witness_program.empty()) {
    BATON_ASSIGN_OR_RETURN(*source.mutable_witness_program(), absolute(files.witness_program));
  }
  return Status::ok();
}

/// Sends what `make` makes until a JobReply says that the job has ended.
template <class Make>
Result<wire::JobReply> follow_until_ended(CoordinatorClient& client, const Make& make,
                                          std::optional<Instant> deadline, const JobProgress& progress) {
  for (;;) {
    BATON_ASSIGN_OR_RETURN(const std::uint64_t number, client.send(make(), deadline));
    for (;;) {
      const Instant silence = now() + kAskAgain;
      const Instant until = deadline ? std::min(*deadline, silence) : silence;
      Result<wire::Envelope> reply = client.receive(number, until);
      if (!reply.is_ok() && reply.status().code() == StatusCode::kDeadline && until == silence) {
        break;
      }
      if (!reply.is_ok()) {
        return std::move(reply).status();
      }
      if (!reply->has_job_reply()) {
        continue;
      }
      if (has_ended(reply->job_reply())) {
        return std::move(*reply->mutable_job_reply());
      }
      progress(reply->job_reply());
    }
  }
}

}  // namespace

bool has_ended(const wire::JobReply& reply) noexcept {
  return reply.state() == wire::JOB_DONE || reply.state() == wire::JOB_FAILED ||
         reply.state() == wire::JOB_CANCELLED;
}

Result<std::string> fresh_job_key() {
  BATON_ASSIGN_OR_RETURN(const std::uint64_t high, random_u64());
  BATON_ASSIGN_OR_RETURN(const std::uint64_t low, random_u64());
  return std::to_string(high) + "-" + std::to_string(low);
}

Result<wire::Submit> make_submit(const ProofFiles& files, const std::string& idempotency_key) {
  wire::Submit submit;
  submit.set_key(idempotency_key);
  BATON_RETURN_IF_ERROR(set_circuit(files, submit));
  if (files.witness.empty() == files.input.empty()) {
    return invalid_input("exactly one of a witness file and --input is needed");
  }
  if (!files.witness.empty()) {
    BATON_ASSIGN_OR_RETURN(*submit.mutable_witness_path(), absolute(files.witness));
  } else {
    BATON_ASSIGN_OR_RETURN(*submit.mutable_input_path(), absolute(files.input));
  }
  return submit;
}

Result<wire::JobReply> submit_and_follow(CoordinatorClient& client, const wire::Submit& submit,
                                         const JobProgress& progress) {
  const auto make = [&] {
    wire::Envelope request;
    *request.mutable_submit() = submit;
    request.mutable_submit()->set_watch(true);
    return request;
  };
  return follow_until_ended(client, make, std::nullopt, progress);
}

Result<wire::JobReply> follow(CoordinatorClient& client, std::uint64_t job, std::optional<Instant> deadline,
                              const JobProgress& progress) {
  const auto make = [&] {
    wire::Envelope request;
    request.mutable_job_wait()->set_job(job);
    request.mutable_job_wait()->set_watch(true);
    return request;
  };
  return follow_until_ended(client, make, deadline, progress);
}

Status outcome_of(const wire::JobReply& reply) {
  switch (reply.state()) {
    case wire::JOB_DONE:
      return Status::ok();
    case wire::JOB_FAILED:
      return status_from_wire(reply.code(), reply.text());
    case wire::JOB_CANCELLED:
      return {StatusCode::kCancelled, "job " + std::to_string(reply.job()) + " was cancelled"};
    default:
      return internal_error("job " + std::to_string(reply.job()) + " has not ended");
  }
}

}  // namespace baton
