#include <csignal>

#include <gtest/gtest.h>

#include "cuda/device/device_buffer.hpp"
#include "shared/support/exit_codes.hpp"
#include "tests/gpu/support/gpu_test.hpp"
#include "tests/process/circuit_files.hpp"
#include "tests/support/pipeline_under_test.hpp"
#include "tests/support/test_client.hpp"

namespace baton::test {
namespace {

class DeviceFaultTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (has_device()) {
      directory_ = std::make_unique<TemporaryDirectory>();
      small_ = make_circuit(*directory_, "chain", 10, "bn128");
      large_ = make_circuit(*directory_, "chain", 20, "bn128");
    }
  }
  static void TearDownTestSuite() { directory_.reset(); }

  void SetUp() override { BATON_SKIP_WITHOUT_DEVICE(); }

  static std::uint64_t submit(TestClient& client, const CircuitFiles& files) {
    return client.submit(files.key(), files.witness());
  }
  static wire::JobReply prove(TestClient& client, const CircuitFiles& files) {
    return client.wait(submit(client, files));
  }

  static inline std::unique_ptr<TemporaryDirectory> directory_;
  static inline CircuitFiles small_;
  static inline CircuitFiles large_;
};

/// The start of a worker proves this often: two proofs on each curve.
constexpr int kProofsOfTheSelfTest = 4;

#ifdef BATON_FAULTS

TEST_F(DeviceFaultTest, KilledInTheMiddleOfItsCopiesCostsNoSynthesisAndLeavesTheSlotIntact) {
  PipelineUnderTest pipeline;
  pipeline.add_synth();
  ProcessUnderTest& victim = pipeline.add_cuda("cuda.copy_enqueued=kill@4");
  const std::uint64_t job = submit(pipeline.client(), large_);
  const auto exit = victim.wait_for_exit();
  ASSERT_TRUE(exit && exit->signalled && exit->code == SIGKILL) << pipeline.log();
  pipeline.add_cuda();
  const wire::JobReply reply = pipeline.client().wait(job);
  EXPECT_TRUE(is_proved(reply, large_)) << pipeline.log();
  EXPECT_EQ(reply.fills(), 1U);
  EXPECT_EQ(reply.proves(), 2U);
  EXPECT_EQ(pipeline.stop(), "");
}

TEST_F(DeviceFaultTest, AnIllegalAddressEndsTheWorkerWith70AndTheJobIsProvedByAnother) {
  PipelineUnderTest pipeline;
  pipeline.add_synth();
  ProcessUnderTest& victim =
      pipeline.add_cuda("cuda.compute=error@" + std::to_string(kProofsOfTheSelfTest + 1));
  const std::uint64_t job = submit(pipeline.client(), small_);
  const auto exit = victim.wait_for_exit();
  ASSERT_TRUE(exit && !exit->signalled) << pipeline.log();
  EXPECT_EQ(exit->code, exit_code::kStickyGpu) << pipeline.log();
  EXPECT_NE(victim.output().find("cudaErrorIllegalAddress"), std::string::npos) << victim.output();
  pipeline.add_cuda();
  const wire::JobReply reply = pipeline.client().wait(job);
  EXPECT_TRUE(is_proved(reply, small_)) << pipeline.log();
  EXPECT_EQ(reply.fills(), 1U);
  EXPECT_EQ(reply.proves(), 2U);
  const std::string problems = pipeline.stop();  // the exit code of the victim is one
  EXPECT_EQ(problems.find("worker: "), 0U) << problems;
  EXPECT_EQ(problems.find("worker: ", 1), std::string::npos) << problems;
}

TEST_F(DeviceFaultTest, SlotsThatCannotBeRegisteredAreStagedAndTheStatusSaysSo) {
  std::string every_registration;
  for (int i = 0; i < 64; ++i) {
    every_registration += "cuda.register=error,";
  }
  PipelineUnderTest pipeline;
  pipeline.add_synth();
  pipeline.add_cuda(every_registration);
  const wire::JobReply reply = prove(pipeline.client(), large_);
  EXPECT_TRUE(is_proved(reply, large_)) << pipeline.log();
  EXPECT_NE(reply.device().find("not registered"), std::string::npos) << reply.device();
  EXPECT_NE(reply.device().find("staged"), std::string::npos) << reply.device();
  bool shown = false;
  const wire::StatusReply status = pipeline.client().status();
  for (const wire::WorkerStatus& worker : status.workers()) {
    shown = shown || worker.backend().find("staged") != std::string::npos;
  }
  EXPECT_TRUE(shown) << pipeline.log();
  EXPECT_EQ(pipeline.stop(), "");
}

#endif

TEST_F(DeviceFaultTest, StatusShowsTheKeysThatAreResident) {
  PipelineUnderTest pipeline;
  pipeline.add_synth();
  pipeline.add_cuda();
  EXPECT_TRUE(is_proved(prove(pipeline.client(), small_), small_)) << pipeline.log();
  std::uint64_t bytes = 0;
  const wire::StatusReply status = pipeline.client().status();
  for (const wire::WorkerStatus& worker : status.workers()) {
    for (const wire::LoadedKey& key : worker.keys()) {
      bytes += key.name() == small_.key() ? key.bytes() : 0;
    }
  }
  EXPECT_GT(bytes, 0U);
  EXPECT_EQ(pipeline.stop(), "");
}

TEST_F(DeviceFaultTest, WithNineteenTwentiethsOfTheDeviceTakenALargeCircuitIsProvedInWhatIsLeft) {
  const std::size_t free_bytes = free_device_memory().value();
  const auto taken = DeviceBuffer::allocate(free_bytes / 20 * 19);
  ASSERT_TRUE(taken.is_ok()) << taken.status().to_string();
  PipelineUnderTest pipeline;
  pipeline.add_synth();
  pipeline.add_cuda();
  EXPECT_TRUE(is_proved(prove(pipeline.client(), large_), large_)) << pipeline.log();
  EXPECT_EQ(pipeline.stop(), "");
}

TEST_F(DeviceFaultTest, AKeyThatDoesNotFitIsATypedErrorOfItsJobAndOthersGoOn) {
  constexpr std::size_t kLeft =
      (std::size_t{1} << 30) + (std::size_t{3} << 28);  // reserve, context, a little
  const std::size_t free_bytes = free_device_memory().value();
  const auto taken = DeviceBuffer::allocate(free_bytes - kLeft);
  ASSERT_TRUE(taken.is_ok()) << taken.status().to_string();
  PipelineUnderTest pipeline;
  pipeline.add_synth();
  pipeline.add_cuda();
  const wire::JobReply refused = prove(pipeline.client(), large_);
  EXPECT_EQ(refused.state(), wire::JOB_FAILED) << pipeline.log();
  EXPECT_EQ(refused.code(), static_cast<std::uint32_t>(StatusCode::kNoSpace)) << refused.text();
  EXPECT_NE(refused.text().find("device memory"), std::string::npos) << refused.text();
  EXPECT_TRUE(is_proved(prove(pipeline.client(), small_), small_)) << pipeline.log();
  EXPECT_EQ(pipeline.stop(), "");
}

}  // namespace
}  // namespace baton::test
