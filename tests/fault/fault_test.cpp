#include <csignal>

#include <gtest/gtest.h>

#include "tests/process/circuit_files.hpp"
#include "tests/support/pipeline_under_test.hpp"
#include "tests/support/test_client.hpp"

namespace baton::test {
namespace {

#ifdef BATON_FAULTS

class FaultTest : public ::testing::Test {
 protected:
  wire::JobReply prove(TestClient& client) {
    return client.wait(client.submit(files_.key(), files_.witness()));
  }

  /// "Standard after": one more job succeeds, and everything ends in order with nothing left.
  void expect_unharmed(PipelineUnderTest& pipeline) {
    EXPECT_TRUE(is_proved(prove(pipeline.client()), files_)) << pipeline.log();
    EXPECT_EQ(pipeline.stop(), "");
  }

  TemporaryDirectory directory_;
  CircuitFiles files_ = make_circuit(directory_, "chain", 6, "bn128");
};

/// A worker that ends at a named point, once.
struct Death {
  const char* point;
  friend void PrintTo(const Death& death, std::ostream* out) { *out << death.point; }
};

class SynthDeathTest : public FaultTest, public ::testing::WithParamInterface<Death> {};

TEST_P(SynthDeathTest, CostsOneFillAndTheJobIsProvedByAnother) {
  PipelineUnderTest pipeline;
  ProcessUnderTest& victim = pipeline.add_synth(GetParam().point);
  pipeline.add_gpu();
  TestClient& client = pipeline.client();
  const std::uint64_t job = client.submit(files_.key(), files_.witness());
  ASSERT_TRUE(victim.wait_for_exit().has_value()) << pipeline.log();
  pipeline.add_synth();
  const wire::JobReply reply = client.wait(job);
  EXPECT_TRUE(is_proved(reply, files_)) << pipeline.log();
  EXPECT_EQ(reply.fills(), 2U);
  EXPECT_EQ(reply.proves(), 1U);
  expect_unharmed(pipeline);
}

INSTANTIATE_TEST_SUITE_P(Points, SynthDeathTest,
                         ::testing::Values(Death{"synth.fill_received=kill"},
                                           Death{"synth.between_sections=kill"},
                                           Death{"synth.before_seal=kill"}, Death{"synth.after_seal=kill"}));

class GpuDeathTest : public FaultTest, public ::testing::WithParamInterface<Death> {};

TEST_P(GpuDeathTest, CostsNoSynthesis) {
  PipelineUnderTest pipeline;
  pipeline.add_synth();
  ProcessUnderTest& victim = pipeline.add_gpu(GetParam().point);
  TestClient& client = pipeline.client();
  const std::uint64_t job = client.submit(files_.key(), files_.witness());
  ASSERT_TRUE(victim.wait_for_exit().has_value()) << pipeline.log();
  pipeline.add_gpu();
  const wire::JobReply reply = client.wait(job);
  EXPECT_TRUE(is_proved(reply, files_)) << pipeline.log();
  EXPECT_EQ(reply.fills(), 1U);
  EXPECT_EQ(reply.proves(), 2U);
  expect_unharmed(pipeline);
}

INSTANTIATE_TEST_SUITE_P(Points, GpuDeathTest,
                         ::testing::Values(Death{"gpu.prove_received=kill"}, Death{"gpu.after_upload=kill"},
                                           Death{"gpu.before_proved=kill"}));

TEST_F(FaultTest, SlotChangedAfterItsSealIsFoundAndTheJobSynthesisedAgain) {
  PipelineUnderTest pipeline;
  pipeline.add_synth("synth.after_seal=corrupt");
  pipeline.add_gpu();
  TestClient& client = pipeline.client();
  const wire::JobReply reply = prove(client);
  EXPECT_TRUE(is_proved(reply, files_)) << pipeline.log();
  EXPECT_EQ(reply.fills(), 2U);
  expect_unharmed(pipeline);
}

TEST_F(FaultTest, WrongSumsAreNeverDelivered) {
  PipelineUnderTest pipeline;
  pipeline.add_synth();
  pipeline.add_gpu("gpu.sums=corrupt");
  pipeline.add_gpu();
  TestClient& client = pipeline.client();
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(is_proved(prove(client), files_)) << pipeline.log();
  }
  expect_unharmed(pipeline);
}

TEST_F(FaultTest, StoppedSynthWorkerIsKilledAtItsDeadline) {
  PipelineUnderTest pipeline({"--fill-deadline", "1"});
  ProcessUnderTest& victim = pipeline.add_synth("synth.between_sections=stop");
  pipeline.add_gpu();
  TestClient& client = pipeline.client();
  const std::uint64_t job = client.submit(files_.key(), files_.witness());
  const auto exit = victim.wait_for_exit();
  ASSERT_TRUE(exit && exit->signalled) << pipeline.log();
  pipeline.add_synth();
  EXPECT_TRUE(is_proved(client.wait(job), files_)) << pipeline.log();
  expect_unharmed(pipeline);
}

TEST_F(FaultTest, CoordinatorKilledInMidJobIsReplacedAndTheJobGoesOn) {
  PipelineUnderTest pipeline;
  ProcessUnderTest& synth = pipeline.add_synth("synth.between_sections=delay:300");
  ProcessUnderTest& gpu = pipeline.add_gpu();
  TestClient& client = pipeline.client();
  const std::uint64_t job = client.submit(files_.key(), files_.witness());
  ASSERT_TRUE(synth.wait_for_line("fault point synth.between_sections"));
  pipeline.coordinator().signal(SIGKILL);
  ASSERT_TRUE(pipeline.coordinator().wait_for_exit().has_value());
  pipeline.restart_coordinator();
  TestClient& again = pipeline.client();
  const wire::JobReply reply = again.wait(job);
  EXPECT_TRUE(is_proved(reply, files_)) << pipeline.log();
  // The new coordinator has granted the proof and nothing else.
  EXPECT_EQ(reply.fills(), 0U) << pipeline.log();
  EXPECT_EQ(reply.proves(), 1U) << pipeline.log();
  EXPECT_TRUE(gpu.wait_for_line("incarnation 2"));
  expect_unharmed(pipeline);
}

#endif

}  // namespace
}  // namespace baton::test
