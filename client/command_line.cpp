#include "client/command_line.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "shared/support/exit_codes.hpp"
#include "shared/support/project_version.hpp"

namespace baton {

namespace {

/// Adds the options of one command to `app`; what they hold becomes the result when that command was called.
template <class Options>
Options& add_command(CLI::App& app, std::optional<Command>& result, std::shared_ptr<Options> options) {
  Options& values = *options;
  app.callback([&result, options = std::move(options)] { result = *options; });
  return values;
}

void add_service_options(CLI::App& app, ServiceOptions& options) {
  app.add_option("--run-dir", options.run_dir, "Run directory of the service")->type_name("DIR");
  app.add_flag("--json", options.json, "Print the result as JSON");
  app.add_flag("--quiet,-q", options.quiet, "Print errors only");
}

void add_witness_options(CLI::App& app, ProofFiles& files) {
  app.add_option("--input", files.input, "Signals as JSON, for a witness program instead of a witness")
      ->type_name("FILE");
  app.add_option("--witness-program", files.witness_program,
                 "Program that makes the witness: circom's C++ generator, or a .wasm (run through node)")
      ->type_name("PROG");
  app.add_option("--r1cs", files.r1cs, "The circuit's constraints: the first violated one is named")
      ->type_name("FILE");
}

/// KEY [WITNESS] PROOF PUBLIC: the witness is left out when there is a witness program.
void check_prove_files(const std::vector<std::string>& names, ProofFiles& files) {
  const bool program = !files.input.empty();
  if (program != !files.witness_program.empty()) {
    throw CLI::ValidationError("--input and --witness-program go together");
  }
  if (names.size() != (program ? 3U : 4U)) {
    throw CLI::ValidationError(program ? "with --input expected KEY PROOF PUBLIC"
                                       : "expected KEY WITNESS PROOF PUBLIC");
  }
  files.key = names[0];
  files.witness = program ? "" : names[1];
  files.proof = names[names.size() - 2];
  files.publics = names[names.size() - 1];
}

void add_prove(CLI::App& root, std::optional<Command>& result) {
  CLI::App& app = *root.add_subcommand("prove", "Prove: key and witness in, proof and public signals out");
  auto names = std::make_shared<std::vector<std::string>>();
  auto options = std::make_shared<ProveOptions>();
  app.add_option("files", *names, "KEY.zkey WITNESS.wtns PROOF.json PUBLIC.json")->required()->expected(3, 4);
  add_witness_options(app, options->files);
  app.add_option("--threads", options->threads, "Threads of a private pipeline (default: all cores)")
      ->check(CLI::Range(1, 1024));
  app.add_option("--backend", options->backend, "Prover of a private pipeline: auto, cpu or cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->default_val("auto");
  app.add_flag("--private", options->private_only, "Start a private pipeline even when a service is running");
  app.add_option("--insecure-fixed-blinding", options->fixed_blinding)->group("");
  add_service_options(app, options->service);
  app.callback([&result, names, options] {
    check_prove_files(*names, options->files);
    result = *options;
  });
}

void add_verify(CLI::App& root, std::optional<Command>& result) {
  CLI::App& app = *root.add_subcommand("verify", "Verify a proof: exit 0 valid, 1 invalid, 2 not checkable");
  auto& options = add_command(app, result, std::make_shared<VerifyOptions>());
  app.add_option("vkey", options.key, "VKEY.json")->required();
  app.add_option("public", options.publics, "PUBLIC.json")->required();
  app.add_option("proof", options.proof, "PROOF.json")->required();
  app.add_flag("--quiet,-q", options.quiet, "Print errors only");
}

void add_vkey(CLI::App& root, std::optional<Command>& result) {
  CLI::App& app = *root.add_subcommand("vkey", "Write the verification key that a proving key holds");
  auto& options = add_command(app, result, std::make_shared<VkeyOptions>());
  app.add_option("key", options.key, "KEY.zkey")->required();
  app.add_option("output", options.output, "VKEY.json (default: standard output)");
}

void add_up(CLI::App& root, std::optional<Command>& result) {
  CLI::App& app = *root.add_subcommand("up", "Run the service in the foreground; Ctrl-C drains it");
  auto& options = add_command(app, result, std::make_shared<UpOptions>());
  app.add_option("--run-dir", options.run_dir, "Run directory of the service")->type_name("DIR");
  app.add_option("--synth", options.synth, "Number of synth-workers")->check(CLI::Range(1, 256));
  app.add_option("--gpu", options.gpu, "auto, cpu, or how many GPUs to use");
  app.add_option("--threads", options.threads, "Threads of each worker (default: all cores)")
      ->check(CLI::Range(1, 1024));
  app.add_flag("--quiet,-q", options.quiet, "Print errors only");
}

void add_submit(CLI::App& root, std::optional<Command>& result) {
  CLI::App& app = *root.add_subcommand("submit", "Hand a job to the service and print its number");
  auto& options = add_command(app, result, std::make_shared<SubmitOptions>());
  app.add_option("circuit", options.files.key, "Name of a registered circuit, or KEY.zkey")->required();
  app.add_option("witness", options.files.witness, "WITNESS.wtns");
  add_witness_options(app, options.files);
  app.add_option("--idempotency-key", options.idempotency_key,
                 "The same key again answers with the same job");
  app.add_option("--priority", options.priority, "critical, normal or low")
      ->check(CLI::IsMember({"critical", "normal", "low"}));
  app.add_option("--deadline-ms", options.deadline_ms, "Give the job up after so long");
  add_service_options(app, options.service);
}

void add_job_commands(CLI::App& root, std::optional<Command>& result) {
  CLI::App& wait = *root.add_subcommand("wait", "Wait for a job and write its proof");
  auto& waited = add_command(wait, result, std::make_shared<WaitOptions>());
  wait.add_option("job", waited.job, "Number of the job")->required();
  wait.add_option("proof", waited.proof, "PROOF.json");
  wait.add_option("public", waited.publics, "PUBLIC.json");
  wait.add_option("--timeout-ms", waited.timeout_ms, "Stop waiting after so long");
  add_service_options(wait, waited.service);

  CLI::App& cancel = *root.add_subcommand("cancel", "Cancel a job");
  auto& cancelled = add_command(cancel, result, std::make_shared<CancelOptions>());
  cancel.add_option("job", cancelled.job, "Number of the job")->required();
  add_service_options(cancel, cancelled.service);

  CLI::App& status = *root.add_subcommand("status", "Show workers, slots, jobs and circuits");
  add_service_options(status, add_command(status, result, std::make_shared<StatusOptions>()).service);
}

void add_circuit_commands(CLI::App& root, std::optional<Command>& result) {
  CLI::App& circuit = *root.add_subcommand("circuit", "Register, list and remove circuits");
  circuit.require_subcommand(1);

  CLI::App& add = *circuit.add_subcommand("add", "Register a circuit; checks its key whole");
  auto& added = add_command(add, result, std::make_shared<CircuitAddOptions>());
  add.add_option("name", added.name, "Name of the circuit")->required();
  add.add_option("key", added.files.key, "KEY.zkey")->required();
  add.add_option("--r1cs", added.files.r1cs, "The circuit's constraints")->type_name("FILE");
  add.add_option("--witness-program", added.files.witness_program, "Program that makes witnesses")
      ->type_name("PROG");
  add_service_options(add, added.service);

  CLI::App& list = *circuit.add_subcommand("list", "List the registered circuits");
  add_service_options(list, add_command(list, result, std::make_shared<CircuitListOptions>()).service);

  CLI::App& info = *circuit.add_subcommand("info", "Show one circuit");
  auto& shown = add_command(info, result, std::make_shared<CircuitInfoOptions>());
  info.add_option("name", shown.name, "Name of the circuit")->required();
  add_service_options(info, shown.service);

  CLI::App& remove = *circuit.add_subcommand("remove", "Forget a circuit");
  auto& removed = add_command(remove, result, std::make_shared<CircuitRemoveOptions>());
  remove.add_option("name", removed.name, "Name of the circuit")->required();
  add_service_options(remove, removed.service);
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  CommandLine line;
  CLI::App app("Baton, a Groth16 proving service", "baton");
  app.set_version_flag("--version", std::string("baton ") + kProjectVersion);
  app.require_subcommand(1);
  app.footer("Run 'baton COMMAND --help' for the options of a command.");
  add_prove(app, line.command);
  add_verify(app, line.command);
  add_vkey(app, line.command);
  add_up(app, line.command);
  add_submit(app, line.command);
  add_job_commands(app, line.command);
  add_circuit_commands(app, line.command);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    line.command.reset();
    line.exit_code = app.exit(error) == 0 ? exit_code::kOk : exit_code::kUsage;
  }
  return line;
}

}  // namespace baton
