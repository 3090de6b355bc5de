#include "client/proof_output.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "client/job_names.hpp"
#include "shared/formats/proof_bytes.hpp"
#include "shared/formats/proof_json.hpp"

namespace baton {

Status write_proof(const wire::JobReply& reply, const OutputPaths& paths) {
  const auto curve = static_cast<CurveId>(reply.curve());
  BATON_ASSIGN_OR_RETURN(const AnyProof proof, parse_proof_bytes(curve, reply.proof()));
  BATON_ASSIGN_OR_RETURN(const PublicSignals publics, parse_public_bytes(curve, reply.publics()));
  return write_outputs(paths, write_proof_json(proof), write_public_json(publics));
}

namespace {

nlohmann::ordered_json prove_json(const wire::ProveTimings& timings) {
  return {{"wait_ms", timings.wait_ms()},       {"copy_ms", timings.copy_ms()},
          {"copy_bytes", timings.copy_bytes()}, {"ntt_ms", timings.ntt_ms()},
          {"msm_a_ms", timings.msm_a_ms()},     {"msm_b1_ms", timings.msm_b1_ms()},
          {"msm_b2_ms", timings.msm_b2_ms()},   {"msm_ch_ms", timings.msm_ch_ms()},
          {"compute_ms", timings.compute_ms()}, {"assemble_ms", timings.assemble_ms()},
          {"verify_ms", timings.verify_ms()}};
}

nlohmann::ordered_json job_json(const wire::JobReply& reply) {
  const wire::JobTimings& timings = reply.timings();
  nlohmann::ordered_json object{{"job", reply.job()},
                                {"state", job_state_name(reply.state())},
                                {"device", reply.device()},
                                {"attempts", reply.attempts()},
                                {"queued_ms", timings.queued_ms()},
                                {"fill_ms", timings.fill_ms()},
                                {"filled_ms", timings.filled_ms()},
                                {"prove_ms", timings.prove_ms()},
                                {"total_ms", timings.total_ms()}};
  if (reply.code() != 0) {
    object["error"] = reply.text();
  }
  if (timings.has_prove()) {
    object["prove"] = prove_json(timings.prove());
  }
  return object;
}

}  // namespace

void print_job(const wire::JobReply& reply, bool json) {
  if (json) {
    std::printf("%s\n",
                job_json(reply).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
    return;
  }
  const wire::JobTimings& timings = reply.timings();
  std::printf("job %llu %s: waited %.0f ms, witness %.0f ms, proof %.0f ms, in all %.0f ms\n",
              static_cast<unsigned long long>(reply.job()), job_state_name(reply.state()),
              timings.queued_ms() + timings.filled_ms(), timings.fill_ms(), timings.prove_ms(),
              timings.total_ms());
}

}  // namespace baton
