#include <cinttypes>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "client/commands.hpp"
#include "client/report.hpp"
#include "client/service_connection.hpp"
#include "shared/support/exit_codes.hpp"

namespace baton {

namespace {

using Json = nlohmann::ordered_json;

const char* role_name(wire::Role role) {
  return role == wire::ROLE_SYNTH ? "synth-worker" : "gpu-worker";
}

Json keys_json(const wire::WorkerStatus& worker) {
  Json keys = Json::array();
  for (const wire::LoadedKey& key : worker.keys()) {
    keys.push_back({{"circuit", key.circuit()}, {"name", key.name()}, {"bytes", key.bytes()}});
  }
  return keys;
}

Json status_json(const wire::StatusReply& status) {
  Json workers = Json::array();
  for (const wire::WorkerStatus& worker : status.workers()) {
    workers.push_back({{"epoch", worker.epoch()},
                       {"role", role_name(worker.role())},
                       {"pid", worker.pid()},
                       {"backend", worker.backend()},
                       {"state", worker.state()},
                       {"lanes", worker.lanes()},
                       {"busy", worker.busy()},
                       {"completed", worker.completed()},
                       {"failed", worker.failed()},
                       {"up_ms", worker.up_ms()},
                       {"keys", keys_json(worker)}});
  }
  Json slots = Json::array();
  for (const wire::SlotStatus& slot : status.slots()) {
    slots.push_back({{"slot", slot.slot()},
                     {"state", slot.state()},
                     {"generation", slot.generation()},
                     {"owner", slot.owner()},
                     {"job", slot.job()},
                     {"bytes", slot.capacity()}});
  }
  Json counters = Json::object();
  for (const wire::Counter& counter : status.counters()) {
    counters[counter.name()] = counter.value();
  }
  return {{"pid", status.pid()},
          {"up_ms", status.up_ms()},
          {"version", status.version()},
          {"draining", status.draining()},
          {"jobs_waiting", status.jobs_waiting()},
          {"jobs_running", status.jobs_running()},
          {"memory_budget", status.memory_budget()},
          {"memory_used", status.memory_used()},
          {"workers", workers},
          {"slots", slots},
          {"counters", counters}};
}

void print_workers(const wire::StatusReply& status) {
  for (const wire::WorkerStatus& worker : status.workers()) {
    std::printf("  %-12s pid %-8u %-8s %u of %u busy, %" PRIu64 " done, %" PRIu64 " failed  %s\n",
                role_name(worker.role()), worker.pid(), worker.state().c_str(), worker.busy(), worker.lanes(),
                worker.completed(), worker.failed(), worker.backend().c_str());
    for (const wire::LoadedKey& key : worker.keys()) {
      std::printf("    key %8.1f MiB  %s\n", static_cast<double>(key.bytes()) / (1024.0 * 1024.0),
                  key.name().c_str());
    }
  }
}

void print_slots(const wire::StatusReply& status) {
  for (const wire::SlotStatus& slot : status.slots()) {
    std::printf("  slot %-3u %-12s generation %-8" PRIu64 " %8.1f MiB", slot.slot(), slot.state().c_str(),
                slot.generation(), static_cast<double>(slot.capacity()) / (1024.0 * 1024.0));
    if (slot.job() != 0) {
      std::printf("  job %" PRIu64, slot.job());
    }
    std::printf("\n");
  }
}

void print_status(const wire::StatusReply& status) {
  std::printf("coordinator pid %u, up %.0f s%s: %" PRIu64 " jobs waiting, %" PRIu64
              " running, %.0f of %.0f MiB in slots\n",
              status.pid(), static_cast<double>(status.up_ms()) / 1000.0,
              status.draining() ? ", draining" : "", status.jobs_waiting(), status.jobs_running(),
              static_cast<double>(status.memory_used()) / (1024.0 * 1024.0),
              static_cast<double>(status.memory_budget()) / (1024.0 * 1024.0));
  print_workers(status);
  print_slots(status);
}

}  // namespace

int run_command(const StatusOptions& options) {
  Result<CoordinatorClient> client = connect_to_service(options.service);
  if (!client.is_ok()) {
    return report_failure(client.status());
  }
  wire::Envelope request;
  request.mutable_status_request();
  const Result<wire::Envelope> reply = client->call(std::move(request), answer_deadline());
  if (!reply.is_ok()) {
    return report_failure(reply.status());
  }
  if (options.service.json) {
    std::printf(
        "%s\n",
        status_json(reply->status_reply()).dump(2, ' ', false, Json::error_handler_t::replace).c_str());
  } else {
    print_status(reply->status_reply());
  }
  return exit_code::kOk;
}

}  // namespace baton
