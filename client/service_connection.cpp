#include "client/service_connection.hpp"

#include "client/program_paths.hpp"

namespace baton {

Result<CoordinatorClient> connect_to_service(const ServiceOptions& options) {
  const std::string run_dir = default_run_directory(options.run_dir);
  if (!service_is_running(run_dir)) {
    return Status(StatusCode::kUnavailable,
                  run_dir + ": no service is running there (start one with 'baton up')");
  }
  return CoordinatorClient::connect(run_dir);
}

std::optional<Instant> answer_deadline() {
  return now() + Milliseconds(10000);
}

}  // namespace baton
