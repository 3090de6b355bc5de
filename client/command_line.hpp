#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace baton {

/// What every command that talks to a service takes.
struct ServiceOptions {
  std::string run_dir;  ///< empty: the default one
  bool json = false;
  bool quiet = false;
};

/// The inputs of one proof: a witness file, or an input file for a witness program.
struct ProofFiles {
  std::string key;  ///< a .zkey path; for `submit` also the name of a registered circuit
  std::string witness;
  std::string input;
  std::string witness_program;
  std::string r1cs;
  std::string proof;
  std::string publics;
};

struct ProveOptions {
  ServiceOptions service;
  ProofFiles files;
  unsigned threads = 0;        ///< 0: all cores
  std::string backend;         ///< auto, cpu or cuda, for a private pipeline
  bool private_only = false;   ///< never ask a running service
  std::string fixed_blinding;  ///< "r,s" in decimal: for tests only, makes the proof linkable
};

struct VerifyOptions {
  std::string key;
  std::string publics;
  std::string proof;
  bool quiet = false;
};

struct VkeyOptions {
  std::string key;
  std::string output;  ///< empty: standard output
};

struct UpOptions {
  std::string run_dir;
  unsigned synth = 2;
  std::string gpu = "auto";  ///< auto, cpu, or a number of GPUs
  unsigned threads = 0;
  bool quiet = false;
};

struct SubmitOptions {
  ServiceOptions service;
  ProofFiles files;
  std::string idempotency_key;
  std::string priority = "normal";
  std::uint64_t deadline_ms = 0;  ///< 0: none
};

struct WaitOptions {
  ServiceOptions service;
  std::uint64_t job = 0;
  std::uint64_t timeout_ms = 0;  ///< 0: for ever
  std::string proof;
  std::string publics;
};

struct CancelOptions {
  ServiceOptions service;
  std::uint64_t job = 0;
};

struct StatusOptions {
  ServiceOptions service;
};

struct CircuitAddOptions {
  ServiceOptions service;
  std::string name;
  ProofFiles files;
};
struct CircuitListOptions {
  ServiceOptions service;
};
struct CircuitInfoOptions {
  ServiceOptions service;
  std::string name;
};
struct CircuitRemoveOptions {
  ServiceOptions service;
  std::string name;
};

using Command = std::variant<ProveOptions, VerifyOptions, VkeyOptions, UpOptions, SubmitOptions, WaitOptions,
                             CancelOptions, StatusOptions, CircuitAddOptions, CircuitListOptions,
                             CircuitInfoOptions, CircuitRemoveOptions>;

/// What the command line says, or the exit code with which to end at once (help, version and usage errors
/// have been printed by then).
struct CommandLine {
  std::optional<Command> command;
  int exit_code = 0;
};

CommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace baton
