#include "coordinator/session.hpp"

#include <unistd.h>

#include <cstring>

#include "coordinator/memory_journal.hpp"
#include "coordinator/preflight.hpp"
#include "coordinator/sqlite_journal.hpp"
#include "shared/contract/names.hpp"
#include "shared/segments/segment_reaper.hpp"
#include "shared/support/concat.hpp"
#include "shared/support/posix.hpp"
#include "shared/support/process_handle.hpp"
#include "shared/support/secure_random.hpp"

namespace baton {

namespace {

/// Answers to keys and job numbers are found so far back.
constexpr JobId kKeepEndedJobs = 100'000;

Result<std::string> read_boot_id() {
  BATON_ASSIGN_OR_RETURN(std::string text, read_small_file("/proc/sys/kernel/random/boot_id", 256));
  std::string bytes;
  std::string digits;
  for (const char c : text) {
    if (c != '-' && c != '\n') {
      digits.push_back(c);
    }
  }
  for (std::size_t i = 0; i + 1 < digits.size() && bytes.size() < sizeof(LedgerHeader::boot_id); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  }
  bytes.resize(sizeof(LedgerHeader::boot_id));
  return bytes;
}

void sweep(const FileLock& lock, const std::string& directory, const Log& log) {
  const Result<ReapReport> report = reap_segments(lock, directory);
  if (!report.is_ok()) {
    log.warn(report.status().to_string());
  } else if (!report->removed.empty()) {
    log.info(concat("swept ", report->removed.size(), " segments that nobody used, ", report->freed_bytes,
                    " bytes"));
  }
}

}  // namespace

Result<std::unique_ptr<Session>> Session::open(CoordinatorOptions& options, const Log& log) {
  BATON_RETURN_IF_ERROR(make_private_directory(options.run_dir));
  BATON_ASSIGN_OR_RETURN(FileLock lock, FileLock::acquire(lock_path(options.run_dir)));
  const std::string directory = shm_directory(::geteuid(), options.run_dir);
  std::unique_ptr<Session> session(new Session(std::move(lock), options.run_dir, directory));
  BATON_RETURN_IF_ERROR(make_private_directory(circuit_cache_dir(options.run_dir)));
  BATON_RETURN_IF_ERROR(session->open_journal(options));
  BATON_ASSIGN_OR_RETURN(const std::string boot_id, read_boot_id());
  BATON_ASSIGN_OR_RETURN(const ProcessIdentity self, this_process());
  CoordinatorConfig& config = options.config;
  config.pid = static_cast<std::uint32_t>(self.pid);
  config.start_time = self.start_time;
  config.shm_directory = directory;
  config.cache_directory = circuit_cache_dir(options.run_dir);
  BATON_ASSIGN_OR_RETURN(const bool taken_over, session->take_over(config, boot_id, log));
  if (!taken_over) {
    BATON_RETURN_IF_ERROR(session->begin(config, boot_id, log));
  }
  LedgerHeader& header = session->ledger().header;
  store_release(header.coordinator_start_time, config.start_time);
  store_release(header.coordinator_pid, config.pid);
  store_release(header.incarnation, config.incarnation);
  BATON_RETURN_IF_ERROR(session->journal_->begin_session(config.session, boot_id, config.incarnation));
  return session;
}

Status Session::open_journal(const CoordinatorOptions& options) {
  if (options.is_private) {
    journal_ = std::make_unique<MemoryJournal>();
  } else {
    BATON_ASSIGN_OR_RETURN(journal_, SqliteJournal::open(journal_path(options.run_dir), kKeepEndedJobs));
  }
  BATON_ASSIGN_OR_RETURN(image_, journal_->load());
  return Status::ok();
}

Result<bool> Session::take_over(CoordinatorConfig& config, const std::string& boot_id, const Log& log) {
  if (image_.session == 0 || image_.boot_id != boot_id) {
    return false;
  }
  Result<LedgerMapping> mapped = LedgerMapping::open(directory_, image_.session, MappingAccess::kReadWrite);
  if (!mapped.is_ok()) {
    if (mapped.status().code() != StatusCode::kNotFound) {
      log.warn(concat("the old ledger cannot be used: ", mapped.status().to_string()));
    }
    return false;
  }
  ledger_ = std::make_unique<LedgerMapping>(std::move(mapped).value());
  BATON_ASSIGN_OR_RETURN(segments_, SegmentPool::create(directory_, image_.session));
  config.session = image_.session;
  config.incarnation = image_.incarnation + 1;
  drop_lost_slots(log);
  sweep(lock_, directory_, log);
  log.info(concat("taking over a session, incarnation ", config.incarnation, ", ", image_.open_jobs.size(),
                  " jobs open"));
  return true;
}

/// Slots whose segment is gone or not what the ledger says hold nothing any more.
void Session::drop_lost_slots(const Log& log) {
  for (SlotId id = 0; id < kMaxSlots; ++id) {
    SlotEntry entry = ledger().slots[id];
    LedgerWord word = unpack(entry.word);
    if (word.state == SlotState::kAbsent) {
      continue;
    }
    const Status status = static_cast<std::size_t>(word.state) < kSlotStateCount
                              ? segments_->adopt(id, entry.segment_id, entry.capacity)
                              : Status(StatusCode::kCorrupt, "unknown state");
    if (!status.is_ok()) {
      log.warn(concat("slot lost: ", status.to_string()), {0, id, word.generation});
      word = {SlotState::kAbsent, 0, word.generation + 1};
      SlotEntry absent{};
      absent.word = pack(word);
      store(id, absent);
    }
  }
}

Status Session::begin(CoordinatorConfig& config, const std::string& boot_id, const Log& log) {
  sweep(lock_, directory_, log);
  BATON_RETURN_IF_ERROR(make_private_directory(directory_));
  BATON_ASSIGN_OR_RETURN(config.session, random_u64());
  config.incarnation = 1;
  LedgerHeader header{};
  std::memcpy(header.boot_id, boot_id.data(), sizeof(header.boot_id));
  header.incarnation = config.incarnation;
  BATON_ASSIGN_OR_RETURN(LedgerMapping created, LedgerMapping::create(directory_, config.session, header));
  ledger_ = std::make_unique<LedgerMapping>(std::move(created));
  BATON_ASSIGN_OR_RETURN(segments_, SegmentPool::create(directory_, config.session));
  return Status::ok();
}

void Session::store(SlotId slot, const SlotEntry& entry) noexcept {
  SlotEntry& shared = ledger().slots[slot];
  const std::uint64_t word = entry.word;
  store_release(shared.fill_generation, entry.fill_generation);
  store_release(shared.job, entry.job);
  store_release(shared.attempt_number, entry.attempt_number);
  store_release(shared.attempt_epoch, entry.attempt_epoch);
  store_release(shared.segment_id, entry.segment_id);
  store_release(shared.circuit, entry.circuit);
  store_release(shared.capacity, entry.capacity);
  for (std::size_t i = 0; i < sizeof(entry.input_digest); ++i) {
    store_release(shared.input_digest[i], entry.input_digest[i]);
  }
  store_release(shared.word, word);
}

void Session::store(std::uint32_t index, const WorkerEntry& entry) noexcept {
  WorkerEntry& shared = ledger().workers[index];
  if (entry.epoch == 0) {
    store_release(shared.epoch, std::uint16_t{0});
  }
  store_release(shared.nonce, entry.nonce);
  store_release(shared.start_time, entry.start_time);
  store_release(shared.pid, entry.pid);
  store_release(shared.role, entry.role);
  store_release(shared.epoch, entry.epoch);
}

void Session::remove_all() {
  segments_->drop_all();
  // Names that are gone already leave nothing behind.
  static_cast<void>(ledger_->remove_name(directory_).is_ok());
  ::unlink(worker_socket_path(run_dir_).c_str());
  ::unlink(client_socket_path(run_dir_).c_str());
  static_cast<void>(reap_segments(lock_, directory_).is_ok());
}

}  // namespace baton
