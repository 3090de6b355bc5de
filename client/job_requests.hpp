#pragma once

#include <functional>
#include <string>

#include "client/command_line.hpp"
#include "client/coordinator_client.hpp"

namespace baton {

/// Called with every JobReply of a job that has not ended.
using JobProgress = std::function<void(const wire::JobReply&)>;

/// True for DONE, FAILED and CANCELLED.
[[nodiscard]] bool has_ended(const wire::JobReply& reply) noexcept;

/// A fresh idempotency key.
Result<std::string> fresh_job_key();

/// The message for what the command line names; paths are made absolute. `files.key` is the name of a circuit
/// when no such file exists.
Result<wire::Submit> make_submit(const ProofFiles& files, const std::string& idempotency_key);

/// Submits and follows the job to its end. A coordinator that restarts meanwhile is asked again under the
/// same key, so the job is neither lost nor run twice.
Result<wire::JobReply> submit_and_follow(CoordinatorClient& client, const wire::Submit& submit,
                                         const JobProgress& progress);

/// Follows a job by number until it ends or `deadline` has come (kDeadline).
Result<wire::JobReply> follow(CoordinatorClient& client, std::uint64_t job, std::optional<Instant> deadline,
                              const JobProgress& progress);

/// The failure of a job that has ended, or ok.
[[nodiscard]] Status outcome_of(const wire::JobReply& reply);

}  // namespace baton
