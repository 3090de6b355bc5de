#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "tests/benchmark/bench/pipeline.hpp"
#include "tests/benchmark/bench/recorded_slot.hpp"
#include "tests/benchmark/bench/storm.hpp"
#ifdef BATON_CUDA
#include "tests/benchmark/bench/claim.hpp"
#include "tests/benchmark/bench/copies.hpp"
#include "tests/benchmark/bench/registration.hpp"
#endif

namespace baton::bench {
namespace {

struct Arguments {
  ServiceLoad service;
  std::string slot;
  std::size_t jobs = 200;
  unsigned storm = 8;
  unsigned lanes = 2;
  unsigned gib = 4;
  unsigned pin_threads = 0;
  unsigned seconds = 3;
};

void add_service(CLI::App& app, Arguments& arguments) {
  ServiceLoad& load = arguments.service;
  app.add_option("--synth", load.synth, "Number of synth-workers, or of threads that make jobs");
  app.add_option("--threads", load.threads, "Threads of each worker");
  app.add_option("--gpu", load.gpu, "As for `baton up`");
}

class Program {
 public:
  Program() { app_.require_subcommand(1); }

  CLI::App& add(const char* name, const char* text, std::function<int()> run) {
    CLI::App* command = app_.add_subcommand(name, text);
    command->final_callback([this, run = std::move(run)] { run_ = run; });
    return *command;
  }
  CLI::App& with_key(CLI::App& command) {
    command.add_option("key", arguments.service.key, "KEY.zkey")->required();
    return command;
  }
  CLI::App& with_witness(CLI::App& command) {
    command.add_option("witness", arguments.service.witness, "WITNESS.wtns")->required();
    return command;
  }
  CLI::App& with_slot(CLI::App& command) {
    command.add_option("slot", arguments.slot, "File of a recorded slot")->required();
    return command;
  }
  CLI::App& with_jobs(CLI::App& command) {
    command.add_option("--jobs", arguments.jobs, "Number of proofs");
    add_service(command, arguments);
    return command;
  }
  CLI::App& with_storm(CLI::App& command) {
    command.add_option("--storm", arguments.storm, "Threads of the allocation storm");
    return command;
  }

  int run(int argc, char** argv) {
    CLI11_PARSE(app_, argc, argv);
    return run_();
  }

  Arguments arguments;

 private:
  CLI::App app_{"Measures Baton as a service. Every figure is of this machine at this moment.",
                "baton-bench"};
  std::function<int()> run_;
};

#ifdef BATON_CUDA
ClaimLoad claim_load(const Arguments& arguments) {
  return {arguments.service, arguments.slot, arguments.jobs, arguments.storm};
}

void add_cuda_commands(Program& program) {
  Arguments& arguments = program.arguments;
  CLI::App& replay = program.add("replay", "Prove recorded slots in this process",
                                 [&] { return replay_command(claim_load(arguments), arguments.lanes); });
  program.with_jobs(program.with_slot(program.with_key(replay)));
  replay.add_option("--lanes", arguments.lanes, "Proofs in flight");
  program.with_storm(program.with_jobs(program.with_slot(program.with_witness(program.with_key(
      program.add("claim", "The same jobs in one process with heap buffers, with a pool, and through Baton",
                  [&] { return claim_command(claim_load(arguments)); }))))));
  for (const bool pool : {false, true}) {
    CLI::App& arm = program.add(pool ? "claim-pool" : "claim-heap", "One arm of `claim`",
                                [&, pool] { return claim_arm_command(claim_load(arguments), pool); });
    program.with_storm(program.with_jobs(program.with_slot(program.with_key(arm))));
  }
  CLI::App& registration = program.add("register", "Register a populated segment", [&] {
    return registration_command(arguments.gib, arguments.pin_threads);
  });
  registration.add_option("gib", arguments.gib, "Its size in GiB");
  registration.add_option("--threads", arguments.pin_threads, "Threads that register; 0: the default");
  program.add("copies", "A bare copy loop", [&] { return copies_command(arguments.seconds); })
      .add_option("--seconds", arguments.seconds, "How long");
}
#else
void add_cuda_commands(Program& /*program*/) {}
#endif

int run(int argc, char** argv) {
  Program program;
  Arguments& arguments = program.arguments;
  program.with_jobs(program.with_witness(
      program.with_key(program.add("pipeline", "Prove equal jobs through `baton up`",
                                   [&] { return pipeline_command(arguments.service, arguments.jobs); }))));
  program.with_jobs(program.with_witness(
      program.with_key(program.add("restart", "Kill the gpu-worker and time what follows",
                                   [&] { return restart_command(arguments.service); }))));
  program.with_slot(program.with_witness(
      program.with_key(program.add("record", "Write the sections of a filled slot to a file", [&] {
        return record_command(arguments.service.key, arguments.service.witness, arguments.slot);
      }))));
  program.with_storm(program.add("storm", "Allocate and free until killed",
                                 [&]() -> int { storm_for_ever(arguments.storm); }));
  add_cuda_commands(program);
  return program.run(argc, argv);
}

}  // namespace
}  // namespace baton::bench

int main(int argc, char** argv) {
  return baton::bench::run(argc, argv);
}
