#include "shared/segments/ledger_mapping.hpp"

#include <gtest/gtest.h>

#include "tests/support/temporary_directory.hpp"

namespace baton {
namespace {

constexpr SessionId kSession = 0x1234;

TEST(LedgerMappingTest, WorkerSeesWhatTheCoordinatorStores) {
  const test::TemporaryDirectory directory("/dev/shm");
  LedgerHeader header{};
  header.incarnation = 3;
  const LedgerMapping coordinator = LedgerMapping::create(directory.path(), kSession, header).value();
  const LedgerMapping worker =
      LedgerMapping::open(directory.path(), kSession, MappingAccess::kReadOnly).value();
  EXPECT_EQ(worker.view().header.incarnation, 3U);
  const std::uint64_t word = pack({SlotState::kFilling, 9, 77});
  store_release(coordinator.writable().slots[5].word, word);
  EXPECT_EQ(load_acquire(worker.view().slots[5].word), word);
}

TEST(LedgerMappingTest, LedgerOfAnotherBuildOrSessionIsRefused) {
  const test::TemporaryDirectory directory("/dev/shm");
  const LedgerMapping coordinator = LedgerMapping::create(directory.path(), kSession, {}).value();
  LedgerHeader& header = coordinator.writable().header;
  const auto code = [&] {
    return LedgerMapping::open(directory.path(), kSession, MappingAccess::kReadOnly).status().code();
  };
  header.build_fingerprint += 1;
  EXPECT_EQ(code(), StatusCode::kVersionMismatch);
  header.build_fingerprint -= 1;
  header.session += 1;
  EXPECT_EQ(code(), StatusCode::kCorrupt);
  header.session -= 1;
  header.magic += 1;
  EXPECT_EQ(code(), StatusCode::kCorrupt);
  EXPECT_EQ(LedgerMapping::open(directory.path(), 1, MappingAccess::kReadOnly).status().code(),
            StatusCode::kNotFound);
}

}  // namespace
}  // namespace baton
