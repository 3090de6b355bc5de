#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shared/support/child_process.hpp"
#include "shared/support/clock.hpp"

namespace baton {

/// One process that is to run all the time.
struct SupervisedProgram {
  std::string name;  ///< in messages: "synth-worker 1"
  ChildOptions options;
};

/// Keeps programs running: one that ends is started again, at once after a clean exit and with growing pauses
/// after failures in a row. A program that exits with exit_code::kRejected is not started again.
/// Single-threaded: the caller polls `descriptors()` and calls `tend` when one is readable or `next_start`
/// has come.
class Supervisor {
 public:
  explicit Supervisor(bool quiet) : quiet_(quiet) {}

  /// Starts the program; a failure to start it is final.
  Status add(SupervisedProgram program);

  [[nodiscard]] std::vector<int> descriptors() const;
  [[nodiscard]] std::optional<Instant> next_start() const;

  /// Reaps what has ended and starts what is due. Fails when a program must not be started again.
  Status tend();

  /// From now on nothing is started again.
  void stop_restarting() noexcept { restarting_ = false; }
  void signal_all(int number) const;
  /// To the program that was added first.
  void signal_first(int number) const;
  [[nodiscard]] bool first_ended() const noexcept;
  [[nodiscard]] bool all_ended() const noexcept;

 private:
  struct Entry {
    SupervisedProgram program;
    std::optional<ChildProcess> child;
    Instant started;
    std::optional<Instant> due;
    unsigned failures = 0;
  };
  Status start(Entry& entry);
  Status ended(Entry& entry, const ChildExit& exit);

  std::vector<Entry> entries_;
  bool quiet_;
  bool restarting_ = true;
};

}  // namespace baton
