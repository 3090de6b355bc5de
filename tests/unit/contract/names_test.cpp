#include "shared/contract/names.hpp"

#include <gtest/gtest.h>

namespace baton {
namespace {

TEST(SegmentNames, ParseBackToWhatTheyName) {
  const SegmentName slot = {0x0123456789abcdef, false, 1023, 4294967295u};
  EXPECT_EQ(slot_name(slot.session, slot.slot, slot.segment), "0123456789abcdef.slot-1023-4294967295");
  EXPECT_EQ(parse_segment_name(slot_name(slot.session, slot.slot, slot.segment)), slot);
  const SegmentName ledger = {~0ull, true, 0, 0};
  EXPECT_EQ(parse_segment_name(ledger_name(ledger.session)), ledger);
}

TEST(SegmentNames, OfAnyOtherFormAreNotOurs) {
  for (const char* name :
       {"", "x", "0123456789abcdef", "0123456789abcdef.slot-", "0123456789abcdef.slot-1",
        "0123456789abcdef.slot-1-", "0123456789abcdef.slot-01-1", "0123456789abcdef.slot-1024-1",
        "0123456789abcdef.slot-1-1x", "0123456789abcdef.slot--1-1", "0123456789abcdef.slot-1-4294967296",
        "0123456789ABCDEF.ledger", "0123456789abcdef.ledger.", "0123456789abcde.ledger"}) {
    EXPECT_FALSE(parse_segment_name(name).has_value()) << name;
  }
}

TEST(Endpoints, TooLongForASocketAreRefusedWithBothNumbers) {
  const std::string longest(kMaxSocketPath - std::string_view("/workers.sock").size(), 'x');
  EXPECT_EQ(worker_endpoint(longest).value(), "ipc://" + longest + "/workers.sock");
  const Result<std::string> refused = worker_endpoint(longest + "x");
  ASSERT_FALSE(refused.is_ok());
  EXPECT_EQ(refused.status().code(), StatusCode::kLimit);
  EXPECT_NE(refused.status().message().find("107"), std::string::npos);
  EXPECT_NE(refused.status().message().find("108"), std::string::npos);
}

TEST(ShmDirectory, DiffersByUserAndByRunDirectory) {
  EXPECT_NE(shm_directory(1, "/run/a"), shm_directory(2, "/run/a"));
  EXPECT_NE(shm_directory(1, "/run/a"), shm_directory(1, "/run/b"));
  EXPECT_TRUE(shm_directory(7, "/run/a").starts_with("/dev/shm/baton-7-"));
}

TEST(RoutingIds, DifferByEveryPart) {
  const std::string id = worker_routing_id(WorkerRole::kSynth, 12, 34, 0xab, 1);
  EXPECT_EQ(id, "synth-12-34-00000000000000ab-1");
  EXPECT_NE(id, worker_routing_id(WorkerRole::kSynth, 12, 34, 0xab, 2));
  EXPECT_LT(worker_routing_id(WorkerRole::kSynth, ~0u, ~0ull, ~0ull, ~0u).size(), 255u);
}

}  // namespace
}  // namespace baton
