#include <csignal>
#include <filesystem>
#include <vector>

#include <gtest/gtest.h>

#include "tests/process/circuit_files.hpp"
#include "tests/support/pipeline_under_test.hpp"
#include "tests/support/test_client.hpp"

namespace baton::test {
namespace {

class PipelineTest : public ::testing::Test {
 protected:
  CircuitFiles circuit(const std::string& shape = "chain", int k = 6, const std::string& curve = "bn128") {
    return make_circuit(files_, shape, k, curve);
  }

  TemporaryDirectory files_;
};

/// Jobs of several circuits in turn, all submitted at once.
struct Batch {
  std::vector<CircuitFiles> circuits;
  std::vector<std::uint64_t> jobs;

  void submit(TestClient& client, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const CircuitFiles& files = circuits[i % circuits.size()];
      jobs.push_back(client.submit(files.key(), files.witness(), i % 2 == 0 ? std::string() : files.r1cs()));
    }
  }
  void expect_all_proved(TestClient& client) const {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      EXPECT_TRUE(is_proved(client.wait(jobs[i]), circuits[i % circuits.size()])) << "job " << jobs[i];
    }
  }
};

void expect_every_slot_free(TestClient& client) {
  const wire::StatusReply status = client.status();
  EXPECT_EQ(status.jobs_running() + status.jobs_waiting(), 0U);
  for (const wire::SlotStatus& slot : status.slots()) {
    EXPECT_TRUE(slot.state() == "free" || slot.state() == "absent")
        << "slot " << slot.slot() << " is " << slot.state();
  }
}

TEST_F(PipelineTest, OneJobIsProvedAndNothingIsLeft) {
  const CircuitFiles files = circuit();
  PipelineUnderTest pipeline;
  pipeline.add_synth();
  pipeline.add_gpu();
  TestClient& client = pipeline.client();
  const wire::JobReply reply = client.wait(client.submit(files.key(), files.witness()));
  EXPECT_TRUE(is_proved(reply, files)) << pipeline.log();
  EXPECT_EQ(reply.fills(), 1U);
  EXPECT_EQ(reply.proves(), 1U);
  EXPECT_EQ(pipeline.stop(), "");
}

TEST_F(PipelineTest, ManyJobsOfThreeCircuitsOnBothCurvesAreAllProved) {
  Batch batch{{circuit("chain", 8), circuit("bits", 9), circuit("dense", 7, "bls12381")}, {}};
  PipelineUnderTest pipeline;
  for (int i = 0; i < 3; ++i) {
    pipeline.add_synth();
  }
  pipeline.add_gpu();
  TestClient& client = pipeline.client();
  batch.submit(client, 64);
  batch.expect_all_proved(client);
  expect_every_slot_free(client);
  EXPECT_EQ(pipeline.stop(), "");
}

TEST_F(PipelineTest, KilledAndRestartedWorkersCostNoJob) {
  Batch batch{{circuit("chain", 10), circuit("bits", 9), circuit("dense", 9, "bls12381")}, {}};
  PipelineUnderTest pipeline;
  ProcessUnderTest& synth = pipeline.add_synth();
  pipeline.add_synth();
  pipeline.add_synth();
  ProcessUnderTest& gpu = pipeline.add_gpu();
  TestClient& client = pipeline.client();
  batch.submit(client, 64);
  client.wait(batch.jobs[8]);
  synth.signal(SIGKILL);
  gpu.signal(SIGKILL);
  pipeline.add_synth();
  pipeline.add_gpu();
  batch.expect_all_proved(client);
  expect_every_slot_free(client);
  EXPECT_EQ(pipeline.stop(), "");
}

TEST_F(PipelineTest, WitnessProgramInWebAssemblyIsRun) {
  const std::string data = BATON_TEST_DATA "/membership";
  PipelineUnderTest pipeline;
  pipeline.add_synth();
  pipeline.add_gpu();
  TestClient& client = pipeline.client();
  wire::Submit submit;
  submit.set_key("wasm");
  submit.mutable_circuit_source()->set_key_path(data + "/key.zkey");
  submit.mutable_circuit_source()->set_r1cs_path(data + "/circuit.r1cs");
  submit.mutable_circuit_source()->set_witness_program(data + "/circuit.wasm");
  submit.set_input_path(data + "/input.json");
  const wire::JobReply reply = client.wait(client.submit(submit));
  EXPECT_EQ(reply.state(), wire::JOB_DONE) << reply.text();
  submit.set_key("wasm without inputs");
  submit.set_input_bytes("{}");
  const wire::JobReply refused = client.wait(client.submit(submit));
  EXPECT_EQ(refused.state(), wire::JOB_FAILED);
  EXPECT_EQ(refused.code(), static_cast<std::uint32_t>(StatusCode::kInvalidInput));
  EXPECT_NE(refused.text().find("input values"), std::string::npos) << refused.text();
  EXPECT_EQ(pipeline.stop(), "");
}

TEST_F(PipelineTest, BadInputFailsAtOnceAndNamesTheFile) {
  const CircuitFiles files = circuit();
  const CircuitFiles other = circuit("chain", 7);
  PipelineUnderTest pipeline;
  pipeline.add_synth();
  pipeline.add_gpu();
  TestClient& client = pipeline.client();
  const auto expect_refused = [&](const std::string& key, const std::string& witness,
                                  const std::string& named) {
    const wire::JobReply reply = client.wait(client.submit(key, witness));
    EXPECT_EQ(reply.state(), wire::JOB_FAILED);
    EXPECT_NE(reply.text().find(named), std::string::npos) << reply.text();
    EXPECT_LE(reply.fills(), 1U);
  };
  expect_refused(files.key(), other.witness(), other.witness());
  expect_refused(files.key(), files_.file("none.wtns"), "none.wtns");
  expect_refused(files_.file("none.zkey"), files.witness(), "none.zkey");
  expect_refused(files.witness(), files.witness(), files.witness());
  EXPECT_TRUE(is_proved(client.wait(client.submit(files.key(), files.witness())), files));
  EXPECT_EQ(pipeline.stop(), "");
}

TEST_F(PipelineTest, WitnessThatDoesNotSatisfyTheCircuitIsNeverProved) {
  const CircuitFiles files = circuit();
  const std::string bad = files_.file("bad.wtns");
  std::filesystem::copy_file(files.witness(), bad);
  flip_bit(bad, std::filesystem::file_size(bad) - 32);
  PipelineUnderTest pipeline;
  pipeline.add_synth();
  pipeline.add_gpu();
  TestClient& client = pipeline.client();
  const wire::JobReply named = client.wait(client.submit(files.key(), bad, files.r1cs()));
  EXPECT_EQ(named.state(), wire::JOB_FAILED);
  EXPECT_EQ(named.code(), static_cast<std::uint32_t>(StatusCode::kUnsatisfied));
  EXPECT_NE(named.text().find("constraint"), std::string::npos) << named.text();
  EXPECT_EQ(named.proves(), 0U);
  // Without the constraints' C only the finished proof can tell.
  const wire::JobReply found = client.wait(client.submit(files.key(), bad));
  EXPECT_EQ(found.state(), wire::JOB_FAILED);
  EXPECT_EQ(found.code(), static_cast<std::uint32_t>(StatusCode::kUnsatisfied)) << found.text();
  EXPECT_EQ(found.proof(), "");
  EXPECT_TRUE(is_proved(client.wait(client.submit(files.key(), files.witness())), files));
  EXPECT_EQ(pipeline.stop(), "");
}

}  // namespace
}  // namespace baton::test
