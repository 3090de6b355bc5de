#include "shared/config/config_file.hpp"

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

namespace baton {
namespace {

Configuration parsed(std::string_view text) {
  Result<Configuration> configuration = parse_config(text, "t.toml");
  EXPECT_TRUE(configuration.is_ok()) << configuration.status().message();
  return configuration.is_ok() ? std::move(configuration).value() : Configuration{};
}

std::string example() {
  std::ifstream file(BATON_EXAMPLE_CONFIG);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(ConfigFile, EmptyTextIsTheDefaults) {
  const Configuration configuration = parsed("");
  EXPECT_EQ(configuration.synth.workers, 2U);
  EXPECT_EQ(configuration.memory.slots, 0U);
  EXPECT_EQ(configuration.limits.fill, Milliseconds(600'000));
  EXPECT_TRUE(configuration.circuits.empty());
}

TEST(ConfigFile, EverySectionReachesItsSettings) {
  const Configuration c = parsed(R"(
[service]
run_dir = "/run/x/"
state_dir = "/var/lib/x"
spool_dir = "/var/spool/x"
clients = "group"
log_level = "warn"
[memory]
slots = "1.5GiB"
slots_per_class = 3
[synth]
workers = 6
threads = 4
cpus = "0-3,8"
[gpu]
backend = "cuda"
devices = ["GPU-a", "1"]
lanes = 2
[limits]
queue = 5
fill_seconds = 0.5
grace_seconds = 0
[retention]
memory_jobs = 0
jobs = 7
days = 30
[gateway]
listen = "0.0.0.0:80"
body_limit = "1GB"
requests_per_second = 0.5
rapidsnark_routes = true
[[circuit]]
name = "a"
key = "/k/a.zkey"
[[circuit]]
name = "b"
key = "/k/b.zkey"
r1cs = "/k/b.r1cs"
witness_program = "/k/b.wasm"
)");
  EXPECT_EQ(c.service.run_dir, "/run/x");
  EXPECT_EQ(c.service.state_dir, "/var/lib/x");
  EXPECT_EQ(c.service.spool_dir, "/var/spool/x");
  EXPECT_TRUE(c.service.group_clients);
  EXPECT_EQ(c.service.log_level, "warn");
  EXPECT_EQ(c.memory.slots, std::uint64_t{3} << 29);
  EXPECT_EQ(c.memory.slots_per_class, 3U);
  EXPECT_EQ(c.synth.workers, 6U);
  EXPECT_EQ(c.synth.threads, 4U);
  EXPECT_EQ(c.synth.cpus, "0-3,8");
  EXPECT_EQ(c.gpu.backend, "cuda");
  EXPECT_EQ(c.gpu.devices, (std::vector<std::string>{"GPU-a", "1"}));
  EXPECT_EQ(c.gpu.workers, 2U);
  EXPECT_EQ(c.gpu.lanes, 2U);
  EXPECT_EQ(c.limits.queue, 5U);
  EXPECT_EQ(c.limits.fill, Milliseconds(500));
  EXPECT_EQ(c.limits.grace, Milliseconds(0));
  EXPECT_EQ(c.retention.memory_jobs, 0U);
  EXPECT_EQ(c.retention.jobs, 7U);
  EXPECT_EQ(c.retention.days, 30U);
  EXPECT_EQ(c.gateway.listen, "0.0.0.0:80");
  EXPECT_EQ(c.gateway.body_limit, 1'000'000'000U);
  EXPECT_DOUBLE_EQ(c.gateway.requests_per_second, 0.5);
  EXPECT_TRUE(c.gateway.rapidsnark_routes);
  ASSERT_EQ(c.circuits.size(), 2U);
  EXPECT_EQ(c.circuits[1].witness_program, "/k/b.wasm");
}

TEST(ConfigFile, ExampleIsAccepted) {
  const Result<Configuration> configuration = read_config_file(BATON_EXAMPLE_CONFIG);
  EXPECT_TRUE(configuration.is_ok()) << configuration.status().message();
}

TEST(ConfigFile, EveryLineThatTheExampleShowsCommentedOutIsAccepted) {
  const std::string text =
      std::regex_replace(example(), std::regex("(^|\n)# (\\[\\[|[a-z0-9_]+ = )"), "$1$2");
  ASSERT_NE(text.find("\nqueue = 10000\n"), std::string::npos);
  const Configuration configuration = parsed(text);
  const Configuration defaults;
  EXPECT_EQ(configuration.circuits.size(), 1U);
  EXPECT_EQ(configuration.synth.workers, defaults.synth.workers);
  EXPECT_EQ(configuration.limits.queue, defaults.limits.queue);
  EXPECT_EQ(configuration.limits.prepare, defaults.limits.prepare);
  EXPECT_EQ(configuration.retention.jobs, defaults.retention.jobs);
  EXPECT_EQ(configuration.gateway.listen, defaults.gateway.listen);
  EXPECT_EQ(configuration.gateway.body_limit, defaults.gateway.body_limit);
}

struct Mistake {
  const char* text;
  const char* message;
  friend void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.text; }
};

class ConfigMistakeTest : public ::testing::TestWithParam<Mistake> {};

TEST_P(ConfigMistakeTest, NamesFileLineAndKey) {
  const Result<Configuration> configuration = parse_config(GetParam().text, "t.toml");
  ASSERT_FALSE(configuration.is_ok());
  EXPECT_EQ(configuration.status().code(), StatusCode::kInvalidInput);
  EXPECT_EQ(configuration.status().message(), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, ConfigMistakeTest,
    ::testing::Values(
        Mistake{"[synth]\nworker = 2\n",
                "t.toml:2: unknown key 'synth.worker'; did you mean 'synth.workers'?"},
        Mistake{"[synth]\nbananas_and_pears = 2\n", "t.toml:2: unknown key 'synth.bananas_and_pears'"},
        Mistake{"\n[sinth]\nworkers = 2\n", "t.toml:2: unknown section 'sinth'; did you mean 'synth'?"},
        Mistake{"[synth]\nworkers = \"two\"\n",
                "t.toml:2: synth.workers: expected a whole number from 1 to 64, found \"two\""},
        Mistake{"[synth]\nworkers = 0\n",
                "t.toml:2: synth.workers: expected a whole number from 1 to 64, found 0"},
        Mistake{"[synth]\nworkers = -1\n",
                "t.toml:2: synth.workers: expected a whole number from 1 to 64, found -1"},
        Mistake{"[synth]\ncpus = \"3-1\"\n",
                "t.toml:2: synth.cpus: expected CPUs as \"0-3,8\", found \"3-1\""},
        Mistake{"[service]\nrun_dir = \"run\"\n",
                "t.toml:2: service.run_dir: expected an absolute path, found \"run\""},
        Mistake{"[service]\nclients = \"all\"\n",
                "t.toml:2: service.clients: expected \"owner\" or \"group\", found \"all\""},
        Mistake{"[memory]\nslots = \"8 GiBs\"\n",
                "t.toml:2: memory.slots: expected \"auto\", or a size as \"8GiB\", found \"8 GiBs\""},
        Mistake{"[gpu]\ndevices = [0]\n", "t.toml:2: gpu.devices: expected a list of texts, found 0"},
        Mistake{"[limits]\nfill_seconds = 0\n",
                "t.toml:2: limits.fill_seconds: expected a number from 0.001 to 1e+06, found 0"},
        Mistake{"[gateway]\nrapidsnark_routes = 1\n",
                "t.toml:2: gateway.rapidsnark_routes: expected true or false, found 1"},
        Mistake{"synth = 3\n", "t.toml:1: synth: expected a section [synth], found a whole number"},
        Mistake{"[circuit]\nname = \"a\"\n",
                "t.toml:1: circuit: expected sections [[circuit]], found a section"},
        Mistake{"[[circuit]]\nname = \"a\"\n", "t.toml:1: circuit: expected a name and a key, found no key"},
        Mistake{"[[circuit]]\nname = \"a\"\nkey = \"/a\"\n[[circuit]]\nname = \"a\"\nkey = \"/b\"\n",
                "t.toml:4: circuit 'a': is there twice"},
        Mistake{"[synth]\nworkers = 1979-05-27\n", "t.toml:2: dates and times mean nothing here"}));

TEST(ConfigFile, TextThatIsNoTomlNamesItsLine) {
  const Result<Configuration> configuration = parse_config("[synth]\nworkers = = 2\n", "t.toml");
  ASSERT_FALSE(configuration.is_ok());
  EXPECT_EQ(configuration.status().message().rfind("t.toml:2: ", 0), 0U) << configuration.status().message();
}

TEST(ConfigFile, MissingFileIsNamed) {
  const Result<Configuration> configuration = read_config_file("/nowhere/baton.toml");
  ASSERT_FALSE(configuration.is_ok());
  EXPECT_NE(configuration.status().message().find("/nowhere/baton.toml"), std::string::npos);
}

TEST(ConfigFile, CommandLineNamesTheFileBeforeTheEnvironment) {
  ::setenv("BATON_CONFIG", "/environment.toml", 1);
  const char* const two[] = {"baton", "up", "--config", "/two.toml"};
  const char* const one[] = {"baton", "--config=/one.toml"};
  const char* const none[] = {"baton", "--configure", "x"};
  EXPECT_EQ(config_path_of(4, two), "/two.toml");
  EXPECT_EQ(config_path_of(2, one), "/one.toml");
  EXPECT_EQ(config_path_of(3, none), "/environment.toml");
  ::unsetenv("BATON_CONFIG");
  EXPECT_EQ(config_path_of(3, none), std::nullopt);
}

}  // namespace
}  // namespace baton
