#include "client/command_line.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "shared/support/exit_codes.hpp"

namespace baton {
namespace {

CommandLine parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "baton");
  return parse_command_line(static_cast<int>(arguments.size()), arguments.data());
}

template <class Options>
Options parsed(std::vector<const char*> arguments) {
  const CommandLine line = parse(std::move(arguments));
  EXPECT_TRUE(line.command && std::holds_alternative<Options>(*line.command));
  return std::get<Options>(*line.command);
}

TEST(CommandLine, TakesTheFilesOfAProofInTheOrderOfRapidsnark) {
  const auto options = parsed<ProveOptions>({"prove", "k.zkey", "w.wtns", "proof.json", "public.json"});
  EXPECT_EQ(options.files.key, "k.zkey");
  EXPECT_EQ(options.files.witness, "w.wtns");
  EXPECT_EQ(options.files.proof, "proof.json");
  EXPECT_EQ(options.files.publics, "public.json");
  EXPECT_EQ(options.backend, "auto");
}

TEST(CommandLine, LeavesTheWitnessOutWhereAProgramMakesIt) {
  const auto options = parsed<ProveOptions>(
      {"prove", "k.zkey", "proof.json", "public.json", "--input", "in.json", "--witness-program", "prog"});
  EXPECT_EQ(options.files.witness, "");
  EXPECT_EQ(options.files.input, "in.json");
  EXPECT_EQ(options.files.proof, "proof.json");
  EXPECT_EQ(options.files.publics, "public.json");
}

TEST(CommandLine, RefusesAnInputWithoutAProgram) {
  EXPECT_EQ(parse({"prove", "k.zkey", "proof.json", "public.json", "--input", "in.json"}).exit_code,
            exit_code::kUsage);
}

TEST(CommandLine, RefusesAProofWithoutAWitness) {
  EXPECT_EQ(parse({"prove", "k.zkey", "proof.json", "public.json"}).exit_code, exit_code::kUsage);
}

TEST(CommandLine, RefusesUnknownCommandsAndOptions) {
  EXPECT_EQ(parse({"shuffle"}).exit_code, exit_code::kUsage);
  EXPECT_EQ(parse({"status", "--verbose"}).exit_code, exit_code::kUsage);
  EXPECT_EQ(parse({}).exit_code, exit_code::kUsage);
}

TEST(CommandLine, EndsWellAfterHelpAndVersion) {
  const CommandLine help = parse({"--help"});
  EXPECT_FALSE(help.command);
  EXPECT_EQ(help.exit_code, exit_code::kOk);
  EXPECT_EQ(parse({"--version"}).exit_code, exit_code::kOk);
  EXPECT_EQ(parse({"prove", "--help"}).exit_code, exit_code::kOk);
}

TEST(CommandLine, TakesNestedCircuitCommands) {
  const auto options = parsed<CircuitAddOptions>({"circuit", "add", "login", "k.zkey", "--r1cs", "c.r1cs"});
  EXPECT_EQ(options.name, "login");
  EXPECT_EQ(options.files.key, "k.zkey");
  EXPECT_EQ(options.files.r1cs, "c.r1cs");
}

TEST(CommandLine, RefusesNumbersOutOfRange) {
  EXPECT_EQ(parse({"up", "--synth", "0"}).exit_code, exit_code::kUsage);
  EXPECT_EQ(parse({"cancel", "many"}).exit_code, exit_code::kUsage);
}

}  // namespace
}  // namespace baton
