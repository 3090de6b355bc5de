#include "shared/support/log.hpp"

#include <gtest/gtest.h>

#include "shared/support/posix.hpp"
#include "tests/support/temporary_directory.hpp"

namespace baton {
namespace {

TEST(LogTest, LineCarriesRoleWorkerJobAndSlot) {
  const test::TemporaryDirectory directory;
  Log log = Log::open({"synth", LogLevel::kInfo, directory.file("log")}).value();
  log.set_worker("w3");
  log.warn("filled {}", {17, 2, 40});
  const std::string text = read_small_file(directory.file("log"), 4096).value();
  EXPECT_NE(text.find(" warning synth w3 job=17 slot=2.40 filled {}\n"), std::string::npos) << text;
}

TEST(LogTest, LinesBelowTheLevelAreLeftOut) {
  const test::TemporaryDirectory directory;
  Log log = Log::open({"gpu", LogLevel::kWarn, directory.file("log")}).value();
  log.info("quiet");
  log.error("loud");
  const std::string text = read_small_file(directory.file("log"), 4096).value();
  EXPECT_EQ(text.find("quiet"), std::string::npos);
  EXPECT_NE(text.find("gpu loud"), std::string::npos);
}

TEST(LogTest, FileThatCannotBeOpenedIsAnError) {
  EXPECT_EQ(Log::open({"gpu", LogLevel::kInfo, "/proc/no/such"}).status().code(), StatusCode::kInvalidInput);
}

TEST(LogTest, LevelNamesAreReadAndOthersRefused) {
  EXPECT_EQ(parse_log_level("warn").value(), LogLevel::kWarn);
  EXPECT_EQ(parse_log_level("loud").status().code(), StatusCode::kInvalidInput);
}

}  // namespace
}  // namespace baton
