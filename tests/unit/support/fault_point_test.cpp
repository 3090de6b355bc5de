#include "shared/support/fault_point.hpp"

#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>

namespace baton {
namespace {

#ifdef BATON_FAULTS

TEST(FaultPointTest, ActionHappensAtTheNthPassOnly) {
  // Parsed once per process: these are all points of this test binary.
  ASSERT_EQ(::setenv("BATON_FAULTS", "first=error@2,second=corrupt,third=short@1,fatal=kill", 1), 0);
  EXPECT_TRUE(fault_status("first").is_ok());
  EXPECT_EQ(fault_status("first").code(), StatusCode::kInternal);
  EXPECT_TRUE(fault_status("first").is_ok());
  EXPECT_EQ(fault_point("second"), FaultAction::kCorrupt);
  EXPECT_EQ(fault_point("second"), FaultAction::kNone);
  EXPECT_EQ(fault_point("third"), FaultAction::kShort);
  EXPECT_EQ(fault_point("unknown"), FaultAction::kNone);
  EXPECT_EXIT(fault_point("fatal"), ::testing::KilledBySignal(SIGKILL), "fault point fatal: kill");
}

#else

TEST(FaultPointTest, NothingHappensInABuildWithoutFaults) {
  ASSERT_EQ(::setenv("BATON_FAULTS", "first=error", 1), 0);
  EXPECT_TRUE(fault_status("first").is_ok());
}

#endif

}  // namespace
}  // namespace baton
