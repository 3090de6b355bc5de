#pragma once

#include <memory>
#include <string>
#include <vector>

#include "coordinator/journal.hpp"
#include "coordinator/options.hpp"
#include "coordinator/segment_pool.hpp"
#include "shared/segments/ledger_mapping.hpp"
#include "shared/support/file_lock.hpp"
#include "shared/support/log.hpp"

namespace baton {

/// What a coordinator owns outside its memory: the run directory's lock, the journal, the ledger and the
/// segments. Either taken over from the coordinator before, or made new after sweeping what nobody uses.
class Session {
 public:
  /// kBusy: another coordinator has the run directory. `options.config` becomes complete.
  static Result<std::unique_ptr<Session>> open(CoordinatorOptions& options, const Log& log);

  [[nodiscard]] Journal& journal() noexcept { return *journal_; }
  [[nodiscard]] SegmentPool& segments() noexcept { return *segments_; }
  [[nodiscard]] Ledger& ledger() noexcept { return ledger_->writable(); }
  [[nodiscard]] const JournalImage& image() const noexcept { return image_; }

  /// Workers see the entry's word last.
  void store(SlotId slot, const SlotEntry& entry) noexcept;
  void store(std::uint32_t index, const WorkerEntry& entry) noexcept;

  /// Removes sockets, segments and ledger; the journal and the lock file stay.
  void remove_all();

 private:
  Session(FileLock lock, std::string run_dir, std::string directory)
      : lock_(std::move(lock)), run_dir_(std::move(run_dir)), directory_(std::move(directory)) {}

  Status open_journal(const CoordinatorOptions& options);
  /// True when the ledger of the journal's session could be taken over.
  Result<bool> take_over(CoordinatorConfig& config, const std::string& boot_id, const Log& log);
  Status begin(CoordinatorConfig& config, const std::string& boot_id, const Log& log);
  void drop_lost_slots(const Log& log);

  FileLock lock_;
  std::string run_dir_;
  std::string directory_;
  std::unique_ptr<Journal> journal_;
  JournalImage image_;
  std::unique_ptr<LedgerMapping> ledger_;
  std::unique_ptr<SegmentPool> segments_;
};

}  // namespace baton
