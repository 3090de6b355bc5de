#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "client/commands.hpp"
#include "client/job_names.hpp"
#include "client/report.hpp"
#include "client/service_connection.hpp"
#include "shared/support/exit_codes.hpp"

namespace baton {

namespace {

using Json = nlohmann::ordered_json;

Json circuit_json(const wire::CircuitEntry& entry) {
  const wire::Circuit& circuit = entry.circuit();
  Json object{{"name", entry.name()},
              {"state", circuit_state_name(entry.state())},
              {"key", circuit.source().key_path()},
              {"r1cs", circuit.source().r1cs_path()},
              {"witness_program", circuit.source().witness_program()},
              {"curve", circuit.curve() == 2 ? "bls12381" : "bn128"},
              {"constraints", circuit.constraints()},
              {"variables", circuit.n_vars()},
              {"public", circuit.n_public()},
              {"domain", circuit.domain_size()},
              {"slot_bytes", entry.slot_bytes()},
              {"jobs", entry.jobs()}};
  if (!entry.text().empty()) {
    object["error"] = entry.text();
  }
  if (!circuit.warning().empty()) {
    object["warning"] = circuit.warning();
  }
  return object;
}

void print_circuit(const wire::CircuitEntry& entry) {
  const wire::Circuit& circuit = entry.circuit();
  std::printf("%-20s %-10s %-9s %10" PRIu64 " constraints %8u public  %s\n",
              entry.name().empty() ? "-" : entry.name().c_str(), circuit_state_name(entry.state()),
              circuit.curve() == 2 ? "bls12381" : "bn128", circuit.constraints(), circuit.n_public(),
              circuit.source().key_path().c_str());
  if (!entry.text().empty()) {
    std::printf("  %s\n", entry.text().c_str());
  }
}

int report(const Result<wire::Envelope>& reply, const ServiceOptions& options) {
  if (!reply.is_ok()) {
    return report_failure(reply.status());
  }
  Json all = Json::array();
  int code = exit_code::kOk;
  for (const wire::CircuitEntry& entry : reply->circuit_reply().circuits()) {
    if (options.json) {
      all.push_back(circuit_json(entry));
    } else if (!options.quiet) {
      print_circuit(entry);
    }
    if (entry.state() == wire::CIRCUIT_FAILED) {
      code = exit_code::kBadInput;
    }
    if (!entry.circuit().warning().empty()) {
      std::fprintf(stderr, "baton: warning: %s\n", entry.circuit().warning().c_str());
    }
  }
  if (options.json) {
    std::printf("%s\n", all.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
  }
  return code;
}

/// Sends one request and reports the circuits in its answer. `deadline` none: registering checks a whole key.
int ask(const ServiceOptions& options, wire::Envelope request, std::optional<Instant> deadline) {
  Result<CoordinatorClient> client = connect_to_service(options);
  if (!client.is_ok()) {
    return report_failure(client.status());
  }
  return report(client->call(std::move(request), deadline), options);
}

std::string absolute_or_empty(const std::string& path) {
  std::error_code ignored;
  return path.empty() ? path : std::filesystem::absolute(path, ignored).lexically_normal().string();
}

}  // namespace

int run_command(const CircuitAddOptions& options) {
  wire::Envelope request;
  wire::CircuitAdd& add = *request.mutable_circuit_add();
  add.set_name(options.name);
  add.mutable_source()->set_key_path(absolute_or_empty(options.files.key));
  add.mutable_source()->set_r1cs_path(absolute_or_empty(options.files.r1cs));
  add.mutable_source()->set_witness_program(absolute_or_empty(options.files.witness_program));
  return ask(options.service, std::move(request), std::nullopt);
}

int run_command(const CircuitListOptions& options) {
  wire::Envelope request;
  request.mutable_circuit_list();
  return ask(options.service, std::move(request), answer_deadline());
}

int run_command(const CircuitInfoOptions& options) {
  wire::Envelope request;
  request.mutable_circuit_info()->set_name(options.name);
  return ask(options.service, std::move(request), answer_deadline());
}

int run_command(const CircuitRemoveOptions& options) {
  wire::Envelope request;
  request.mutable_circuit_remove()->set_name(options.name);
  return ask(options.service, std::move(request), answer_deadline());
}

}  // namespace baton
