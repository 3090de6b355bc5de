#pragma once

#include "coordinator/journal.hpp"

namespace baton {

/// Keeps nothing: for a private pipeline, whose jobs end with it. Every record counts as durable at once.
class MemoryJournal final : public Journal {
 public:
  Result<JournalImage> load() override { return JournalImage{}; }
  Status begin_session(SessionId, const std::string&, Incarnation) override { return Status::ok(); }
  void post(JournalRecord record) override;
  [[nodiscard]] std::vector<JournalReply> take_replies() override { return std::exchange(replies_, {}); }
  [[nodiscard]] int fd() const noexcept override { return -1; }
  void flush() override {}

 private:
  std::vector<JournalReply> replies_;
};

}  // namespace baton
