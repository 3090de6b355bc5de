#include <cstdio>
#include <optional>

#include "client/commands.hpp"
#include "client/job_names.hpp"
#include "client/job_requests.hpp"
#include "client/private_pipeline.hpp"
#include "client/program_paths.hpp"
#include "client/progress_line.hpp"
#include "client/proof_output.hpp"
#include "client/report.hpp"
#include "shared/support/exit_codes.hpp"

namespace baton {

namespace {

/// Proves through `client`; the answer is of a job that is done.
Result<wire::JobReply> prove_through(CoordinatorClient& client, const ProveOptions& options) {
  BATON_ASSIGN_OR_RETURN(const std::string key, fresh_job_key());
  BATON_ASSIGN_OR_RETURN(const wire::Submit submit, make_submit(options.files, key));
  ProgressLine line(!options.service.quiet && !options.service.json);
  line.show("starting");
  BATON_ASSIGN_OR_RETURN(wire::JobReply reply,
                         submit_and_follow(client, submit, [&](const wire::JobReply& state) {
                           line.show(job_state_name(state.state()));
                         }));
  BATON_RETURN_IF_ERROR(outcome_of(reply));
  return reply;
}

Result<wire::JobReply> prove_privately(const ProveOptions& options) {
  PipelineOptions pipeline_options{options.threads, options.backend, options.fixed_blinding};
  BATON_ASSIGN_OR_RETURN(const PrivatePipeline pipeline, PrivatePipeline::start(pipeline_options));
  BATON_ASSIGN_OR_RETURN(CoordinatorClient client,
                         CoordinatorClient::connect(pipeline.run_dir(), pipeline.descriptors()));
  return prove_through(client, options);
}

Result<wire::JobReply> prove(const ProveOptions& options) {
  const std::string run_dir = default_run_directory(options.service.run_dir);
  if (!options.private_only && options.fixed_blinding.empty() && service_is_running(run_dir)) {
    BATON_ASSIGN_OR_RETURN(CoordinatorClient client, CoordinatorClient::connect(run_dir));
    return prove_through(client, options);
  }
  if (!options.service.run_dir.empty() && !options.private_only) {
    return Status(StatusCode::kUnavailable, run_dir + ": no service is running there");
  }
  return prove_privately(options);
}

Result<wire::JobReply> prove_and_write(const ProveOptions& options) {
  const OutputPaths outputs{options.files.proof, options.files.publics};
  BATON_RETURN_IF_ERROR(check_output_paths(outputs));
  BATON_ASSIGN_OR_RETURN(wire::JobReply reply, prove(options));
  BATON_RETURN_IF_ERROR(write_proof(reply, outputs));
  return reply;
}

}  // namespace

int run_command(const ProveOptions& options) {
  const Result<wire::JobReply> reply = prove_and_write(options);
  if (!reply.is_ok()) {
    return report_failure(reply.status());
  }
  if (!reply->warning().empty()) {
    std::fprintf(stderr, "baton: warning: %s\n", reply->warning().c_str());
  }
  if (!options.service.quiet) {
    print_job(*reply, options.service.json);
  }
  return exit_code::kOk;
}

}  // namespace baton
