#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "shared/contract/codec.hpp"
#include "shared/transport/poll_set.hpp"

namespace baton::test {

/// A client of a coordinator, as plain as can be: one request, its reply. Failures are gtest failures.
class TestClient {
 public:
  explicit TestClient(const std::string& run_dir);

  /// The next reply to `request`, or nothing after the watchdog's time.
  std::optional<wire::Envelope> ask(wire::Envelope request);

  /// Submits a job; its number, 0 when it was not accepted.
  std::uint64_t submit(const wire::Submit& submit);
  std::uint64_t submit(const std::string& key_path, const std::string& witness_path,
                       const std::string& r1cs_path = {});

  /// Waits until the job has ended.
  wire::JobReply wait(std::uint64_t job);
  wire::StatusReply status();

 private:
  void send(wire::Envelope request);
  std::optional<wire::Envelope> receive();

  TransportContext context_;
  DealerSocket socket_;
  std::uint64_t next_request_ = 0;
};

/// The value of one of the coordinator's counters.
[[nodiscard]] std::uint64_t counter(const wire::StatusReply& status, const std::string& name);

}  // namespace baton::test
