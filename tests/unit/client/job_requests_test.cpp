#include "client/job_requests.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace baton {
namespace {

TEST(MakeSubmit, NamesFilesByAbsolutePaths) {
  ProofFiles files;
  files.key = "some/k.zkey";
  files.witness = "w.wtns";
  const auto sut = make_submit(files, "key-1");
  ASSERT_TRUE(sut.is_ok());
  const std::string here = std::filesystem::current_path().string();
  EXPECT_EQ(sut->circuit_source().key_path(), here + "/some/k.zkey");
  EXPECT_EQ(sut->witness_path(), here + "/w.wtns");
  EXPECT_EQ(sut->key(), "key-1");
}

TEST(MakeSubmit, TakesAPlainWordForTheNameOfACircuit) {
  ProofFiles files;
  files.key = "login";
  files.witness = "w.wtns";
  const auto sut = make_submit(files, "key-1");
  ASSERT_TRUE(sut.is_ok());
  EXPECT_EQ(sut->circuit_name(), "login");
}

TEST(MakeSubmit, RefusesAJobWithoutWitnessOrInput) {
  ProofFiles files;
  files.key = "login";
  EXPECT_EQ(make_submit(files, "key-1").status().code(), StatusCode::kInvalidInput);
  files.witness = "w.wtns";
  files.input = "in.json";
  EXPECT_EQ(make_submit(files, "key-1").status().code(), StatusCode::kInvalidInput);
}

TEST(FreshJobKey, IsNeverTheSameTwice) {
  EXPECT_NE(*fresh_job_key(), *fresh_job_key());
}

TEST(OutcomeOf, KeepsTheKindOfAFailure) {
  wire::JobReply reply;
  reply.set_state(wire::JOB_FAILED);
  reply.set_code(static_cast<std::uint32_t>(StatusCode::kUnsatisfied));
  reply.set_text("constraint 7 is violated");
  const Status sut = outcome_of(reply);
  EXPECT_EQ(sut.code(), StatusCode::kUnsatisfied);
  EXPECT_EQ(sut.message(), "constraint 7 is violated");
  reply.set_state(wire::JOB_DONE);
  EXPECT_TRUE(outcome_of(reply).is_ok());
}

}  // namespace
}  // namespace baton
