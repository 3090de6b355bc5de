#include <cstdio>

#include "client/commands.hpp"
#include "client/job_names.hpp"
#include "client/job_requests.hpp"
#include "client/program_paths.hpp"
#include "client/progress_line.hpp"
#include "client/proof_output.hpp"
#include "client/report.hpp"
#include "client/service_connection.hpp"
#include "shared/support/exit_codes.hpp"

namespace baton {

namespace {

wire::Priority priority_of(const std::string& name) {
  if (name == "critical") {
    return wire::PRIORITY_CRITICAL;
  }
  return name == "low" ? wire::PRIORITY_LOW : wire::PRIORITY_NORMAL;
}

Result<wire::Accepted> submit(const SubmitOptions& options) {
  BATON_ASSIGN_OR_RETURN(CoordinatorClient client, connect_to_service(options.service));
  std::string key = options.idempotency_key;
  if (key.empty()) {
    BATON_ASSIGN_OR_RETURN(key, fresh_job_key());
  }
  wire::Envelope request;
  BATON_ASSIGN_OR_RETURN(*request.mutable_submit(), make_submit(options.files, key));
  request.mutable_submit()->set_priority(priority_of(options.priority));
  request.mutable_submit()->set_deadline_ms(options.deadline_ms);
  BATON_ASSIGN_OR_RETURN(wire::Envelope reply, client.call(std::move(request), answer_deadline()));
  if (!reply.has_accepted()) {
    return internal_error("unexpected answer to a submission");
  }
  return reply.accepted();
}

Result<wire::JobReply> wait_for(const WaitOptions& options) {
  if (options.proof.empty() != options.publics.empty()) {
    return invalid_input("PROOF.json and PUBLIC.json go together");
  }
  BATON_ASSIGN_OR_RETURN(CoordinatorClient client, connect_to_service(options.service));
  std::optional<Instant> deadline;
  if (options.timeout_ms > 0) {
    deadline = now() + Milliseconds(options.timeout_ms);
  }
  ProgressLine line(!options.service.quiet && !options.service.json);
  return follow(client, options.job, deadline,
                [&](const wire::JobReply& state) { line.show(job_state_name(state.state())); });
}

}  // namespace

int run_command(const SubmitOptions& options) {
  const Result<wire::Accepted> accepted = submit(options);
  if (!accepted.is_ok()) {
    return report_failure(accepted.status());
  }
  const auto job = static_cast<unsigned long long>(accepted->job());
  if (options.service.json) {
    std::printf("{\"job\":%llu,\"known\":%s}\n", job, accepted->known() ? "true" : "false");
  } else {
    std::printf("%llu\n", job);
  }
  return exit_code::kOk;
}

int run_command(const WaitOptions& options) {
  const Result<wire::JobReply> reply = wait_for(options);
  if (!reply.is_ok()) {
    return report_failure(reply.status());
  }
  if (Status outcome = outcome_of(*reply); !outcome.is_ok()) {
    return report_failure(outcome);
  }
  if (!options.proof.empty()) {
    if (Status written = write_proof(*reply, {options.proof, options.publics}); !written.is_ok()) {
      return report_failure(written);
    }
  }
  if (!options.service.quiet) {
    print_job(*reply, options.service.json);
  }
  return exit_code::kOk;
}

int run_command(const CancelOptions& options) {
  Result<CoordinatorClient> client = connect_to_service(options.service);
  if (!client.is_ok()) {
    return report_failure(client.status());
  }
  wire::Envelope request;
  request.mutable_cancel_job()->set_job(options.job);
  const Result<wire::Envelope> reply = client->call(std::move(request), answer_deadline());
  if (!reply.is_ok()) {
    return report_failure(reply.status());
  }
  if (!options.service.quiet && reply->has_job_reply()) {
    print_job(reply->job_reply(), options.service.json);
  }
  return exit_code::kOk;
}

}  // namespace baton
