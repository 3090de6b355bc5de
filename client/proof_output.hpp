#pragma once

#include "client/output_files.hpp"
#include "shared/contract/messages.pb.h"

namespace baton {

/// Writes proof.json and public.json from the answer of a job that is done.
Status write_proof(const wire::JobReply& reply, const OutputPaths& paths);

/// Tells about a finished job: its timings, one line or a JSON object, on standard output.
void print_job(const wire::JobReply& reply, bool json);

}  // namespace baton
