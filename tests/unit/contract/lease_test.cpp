#include "shared/contract/lease.hpp"

#include <gtest/gtest.h>

#include <set>

#include "shared/contract/ledger.hpp"

namespace baton {
namespace {

template <class Visit>
void for_each_cell(Visit visit) {
  for (std::size_t s = 0; s < kSlotStateCount; ++s) {
    for (std::size_t e = 0; e < kSlotEventCount; ++e) {
      visit(static_cast<SlotState>(s), static_cast<SlotEvent>(e),
            next_state(static_cast<SlotState>(s), static_cast<SlotEvent>(e)));
    }
  }
}

TEST(TransitionTable, IllegalCellsChangeNothing) {
  for_each_cell([](SlotState state, SlotEvent, const Transition& cell) {
    if (!cell.legal) {
      EXPECT_EQ(cell.next, state);
      EXPECT_FALSE(cell.moves_generation);
      EXPECT_EQ(cell.owner, OwnerChange::kKeep);
    }
  });
}

TEST(TransitionTable, GenerationMovesWheneverTheRightToTouchChangesHandsButForASealAndAnUpload) {
  for_each_cell([](SlotState state, SlotEvent event, const Transition& cell) {
    if (cell.legal && cell.next != state) {
      const bool same_fill =
          event == SlotEvent::kFilled || event == SlotEvent::kUploaded || event == SlotEvent::kDeadline;
      EXPECT_EQ(cell.moves_generation, !same_fill) << to_string(state) << " " << to_string(event);
    }
  });
}

TEST(TransitionTable, OnlyGrantsTakeAnOwnerAndEveryReturnClearsIt) {
  for_each_cell([](SlotState state, SlotEvent event, const Transition& cell) {
    const bool grant = event == SlotEvent::kGrantFill || event == SlotEvent::kGrantProve;
    EXPECT_EQ(cell.owner == OwnerChange::kTake, cell.legal && grant);
    const bool unowned = cell.next == SlotState::kFree || cell.next == SlotState::kSealed ||
                         cell.next == SlotState::kQuarantined || cell.next == SlotState::kAbsent;
    if (cell.legal && unowned) {
      EXPECT_EQ(cell.owner, OwnerChange::kClear) << to_string(state) << " " << to_string(event);
    }
  });
}

TEST(TransitionTable, DoomedSlotsLeaveOnlyThroughTheDeathOfTheirOwner) {
  for (const SlotState state : {SlotState::kDoomedFill, SlotState::kDoomedProve}) {
    for (std::size_t e = 0; e < kSlotEventCount; ++e) {
      const auto event = static_cast<SlotEvent>(e);
      EXPECT_EQ(next_state(state, event).legal, event == SlotEvent::kOwnerDead) << to_string(event);
    }
  }
}

TEST(TransitionTable, EveryStateIsReachedFromAbsentAndCanReturnToFree) {
  std::set<SlotState> reached = {SlotState::kAbsent};
  for (std::size_t round = 0; round < kSlotStateCount; ++round) {
    for_each_cell([&](SlotState state, SlotEvent, const Transition& cell) {
      if (reached.contains(state)) {
        reached.insert(cell.next);
      }
    });
  }
  EXPECT_EQ(reached.size(), kSlotStateCount);
  std::set<SlotState> returning = {SlotState::kFree};
  for (std::size_t round = 0; round < kSlotStateCount; ++round) {
    for_each_cell([&](SlotState state, SlotEvent, const Transition& cell) {
      if (returning.contains(cell.next)) {
        returning.insert(state);
      }
    });
  }
  EXPECT_EQ(returning.size(), kSlotStateCount);
}

TEST(TransitionTable, CountOfLegalCellsIsPinned) {
  int legal = 0;
  for_each_cell([&](SlotState, SlotEvent, const Transition& cell) { legal += cell.legal ? 1 : 0; });
  EXPECT_EQ(legal, 27);
}

TEST(Names, EveryStateAndEventHasItsOwnName) {
  std::set<std::string_view> names;
  for (std::size_t s = 0; s < kSlotStateCount; ++s) {
    names.insert(to_string(static_cast<SlotState>(s)));
  }
  for (std::size_t e = 0; e < kSlotEventCount; ++e) {
    names.insert(to_string(static_cast<SlotEvent>(e)));
  }
  // "uploaded" names a state and the event that leads there.
  EXPECT_EQ(names.size(), kSlotStateCount + kSlotEventCount - 1);
}

TEST(Attempts, OfAPreparationNameTheirCircuit) {
  const Attempt attempt = {prepare_job(7), 2, 9};
  EXPECT_TRUE(is_prepare(attempt));
  EXPECT_EQ(circuit_of_prepare(attempt), 7u);
  EXPECT_FALSE(is_prepare({kMaxJobId, 1, 1}));
  EXPECT_EQ(to_string(attempt), "circuit 7/2@9");
  EXPECT_EQ(to_string(Attempt{5, 1, 3}), "5/1@3");
}

TEST(LedgerWord, PacksAndUnpacksTheExtremes) {
  for (const LedgerWord& word :
       {LedgerWord{}, LedgerWord{SlotState::kQuarantined, 0xffff, kMaxGeneration},
        LedgerWord{SlotState::kFree, 0, 1}, LedgerWord{SlotState::kProving, 0x8001, Generation{1} << 39}}) {
    EXPECT_EQ(unpack(pack(word)), word);
  }
  EXPECT_EQ(pack({SlotState::kFilling, 0x0102, 3}), 0x0201020000000003u);
}

}  // namespace
}  // namespace baton
