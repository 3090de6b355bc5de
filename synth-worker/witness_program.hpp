#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "shared/formats/byte_source.hpp"
#include "shared/support/clock.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// One run of a circuit's witness program on one input.
struct WitnessProgramRun {
  std::string program;                     ///< a circom C++ generator, or a .wasm (run by node)
  std::string input_path;                  ///< the inputs as a JSON file; empty: `input_bytes`
  std::span<const std::byte> input_bytes;  ///< the inputs as JSON
  std::uint64_t max_output_bytes = 0;
  std::optional<Instant> deadline;
  int cancel_fd = -1;  ///< readable: give up; -1: never
  std::string guard;   ///< the synth-worker's program, which keeps the descendants; empty: none does
};

/// Runs the program to its end and gives the .wtns that it wrote. The program gets a process group of its
/// own, no descriptor of ours, bounded output and CPU time; the group is killed at the deadline, on
/// cancellation and when the program ends, the program itself also when this process dies. With a guard all
/// that is true of everything that the program has started, too. Input and output are anonymous memory:
/// nothing is left behind whatever happens. Only exit code zero counts. kInvalidInput carries the last line
/// that the program printed; kDeadline, kCancelled.
Result<std::unique_ptr<ByteSource>> run_witness_program(const WitnessProgramRun& run);

}  // namespace baton
