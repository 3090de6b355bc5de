#include "shared/worker/grant_table.hpp"

#include <gtest/gtest.h>

#include "shared/worker/worker_messages.hpp"

namespace baton {
namespace {

constexpr Attempt kFirst{1, 1, 7};
constexpr Attempt kSecond{2, 1, 7};
constexpr Lease kLease{3, 40};
const Instant kStart{};

wire::Envelope failure_of(const Attempt& attempt) {
  return prepare_failed(attempt, {StatusCode::kInternal, "x"});
}

TEST(GrantTableTest, RepeatedGrantIsKnownRunningAndThenCompleted) {
  GrantTable table;
  EXPECT_EQ(table.add(kFirst, kLease), GrantTable::Add::kNew);
  EXPECT_EQ(table.add(kFirst, kLease), GrantTable::Add::kRunning);
  table.complete(kFirst, failure_of(kFirst), kStart);
  EXPECT_EQ(table.add(kFirst, kLease), GrantTable::Add::kCompleted);
}

TEST(GrantTableTest, ResultIsSentAgainUntilItIsAcknowledged) {
  GrantTable table;
  table.add(kFirst, kLease);
  EXPECT_EQ(table.next_due(), std::nullopt);
  table.complete(kFirst, failure_of(kFirst), kStart);
  const Instant due = kStart + GrantTable::kResendAfter;
  EXPECT_EQ(table.next_due(), due);
  EXPECT_TRUE(table.take_due(due - Milliseconds(1)).empty());
  EXPECT_EQ(table.take_due(due).size(), 1U);
  EXPECT_TRUE(table.take_due(due).empty());
  EXPECT_EQ(table.next_due(), due + GrantTable::kResendAfter);
  table.acknowledge(kFirst);
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.next_due(), std::nullopt);
}

TEST(GrantTableTest, AcknowledgementOfARunningAttemptChangesNothing) {
  GrantTable table;
  table.add(kFirst, kLease);
  table.acknowledge(kFirst);
  EXPECT_TRUE(table.is_running(kFirst));
}

TEST(GrantTableTest, AnnouncementNamesLeasesResultsAndAttemptsWithoutASlot) {
  GrantTable table;
  table.add(kFirst, kLease);
  table.add(kSecond, Lease{4, 41});
  table.add({3, 1, 7}, std::nullopt);
  table.complete(kFirst, failure_of(kFirst), kStart);
  table.release_lease(kSecond);
  wire::Hello hello;
  table.announce(hello);
  ASSERT_EQ(hello.held_size(), 1);
  EXPECT_EQ(hello.held(0).lease().generation(), 40U);
  EXPECT_EQ(hello.held(0).attempt().job(), 1U);
  EXPECT_TRUE(hello.held(0).completed());
  ASSERT_EQ(hello.running_size(), 2);
  EXPECT_EQ(hello.running(0).job(), 2U);
  EXPECT_EQ(hello.running(1).job(), 3U);
}

TEST(GrantTableTest, SlotIsInUseUntilItsAttemptIsOverEvenWhenReleased) {
  GrantTable table;
  table.add(kFirst, kLease);
  table.release_lease(kFirst);
  EXPECT_TRUE(table.uses_slot(3));
  EXPECT_FALSE(table.uses_slot(4));
  EXPECT_EQ(table.running(), 1U);
  table.complete(kFirst, failure_of(kFirst), kStart);
  EXPECT_FALSE(table.uses_slot(3));
  EXPECT_EQ(table.running(), 0U);
}

}  // namespace
}  // namespace baton
