#include "gpu-worker/options.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "shared/support/exit_codes.hpp"

namespace baton {
namespace {

GpuCommandLine parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "baton-gpu-worker");
  return parse_gpu_options(static_cast<int>(arguments.size()), const_cast<char**>(arguments.data()));
}

TEST(GpuOptionsTest, NullBackendNeedsItsOwnPermission) {
  EXPECT_EQ(parse({"--run-dir", "/r", "--backend", "null"}).exit_code, exit_code::kUsage);
  const GpuCommandLine line = parse({"--run-dir", "/r", "--backend", "null", "--allow-null"});
  EXPECT_LT(line.exit_code, 0);
  EXPECT_EQ(line.options.backend, BackendChoice::kNull);
}

TEST(GpuOptionsTest, UnknownBackendLevelOrMissingDirectoryIsAMistake) {
  EXPECT_EQ(parse({"--run-dir", "/r", "--backend", "abacus"}).exit_code, exit_code::kUsage);
  EXPECT_EQ(parse({"--run-dir", "/r", "--log-level", "loud"}).exit_code, exit_code::kUsage);
  EXPECT_EQ(parse({"--backend", "cpu"}).exit_code, exit_code::kUsage);
}

TEST(GpuOptionsTest, PrivateWorkerLogsOnlyWhatIsWrong) {
  EXPECT_EQ(parse({"--run-dir", "/r"}).options.log.level, LogLevel::kInfo);
  const GpuCommandLine line = parse({"--run-dir", "/r", "--private"});
  EXPECT_TRUE(line.options.end_with_parent);
  EXPECT_EQ(line.options.log.level, LogLevel::kWarn);
}

}  // namespace
}  // namespace baton
