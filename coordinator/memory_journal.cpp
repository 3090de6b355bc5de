#include "coordinator/memory_journal.hpp"

namespace baton {

void MemoryJournal::post(JournalRecord record) {
  if (const auto* accept = std::get_if<AcceptJob>(&record)) {
    replies_.emplace_back(Committed{accept->ticket});
  } else if (const auto* end = std::get_if<EndJob>(&record)) {
    replies_.emplace_back(Committed{end->ticket});
  } else if (const auto* find = std::get_if<FindJob>(&record)) {
    replies_.emplace_back(Found{find->ticket, std::nullopt});
  }
}

}  // namespace baton
