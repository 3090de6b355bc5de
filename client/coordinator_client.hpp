#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shared/contract/codec.hpp"
#include "shared/support/clock.hpp"
#include "shared/support/result.hpp"
#include "shared/transport/dealer_socket.hpp"
#include "shared/transport/poll_set.hpp"

namespace baton {

/// True when a coordinator listens in the run directory at this moment.
[[nodiscard]] bool service_is_running(const std::string& run_dir);

/// One client's conversation with a coordinator. Replies to a request carry its number; a request may have
/// many (JobReply with `watch`). Only the owning thread may use it.
class CoordinatorClient {
 public:
  /// The coordinator need not listen yet; `watched` are descriptors that end any wait when they become
  /// readable (pidfds of the processes that it depends on).
  static Result<CoordinatorClient> connect(const std::string& run_dir, std::vector<int> watched = {});

  /// Sends the request and returns its number; waits until the coordinator is reached, at most until
  /// `deadline`.
  Result<std::uint64_t> send(wire::Envelope request, std::optional<Instant> deadline);

  /// The next reply to request `number`; replies to others are dropped. Busy and Refused become their Status.
  Result<wire::Envelope> receive(std::uint64_t number, std::optional<Instant> deadline);

  /// send and one receive.
  Result<wire::Envelope> call(wire::Envelope request, std::optional<Instant> deadline);

 private:
  CoordinatorClient(std::unique_ptr<TransportContext> context, DealerSocket socket, std::vector<int> watched,
                    std::string run_dir);
  Status wait(bool writable, std::optional<Instant> deadline);

  std::unique_ptr<TransportContext> context_;  // outlives socket_
  std::unique_ptr<DealerSocket> socket_;
  PollSet poll_;
  std::string run_dir_;
  std::uint64_t last_request_ = 0;
};

}  // namespace baton
