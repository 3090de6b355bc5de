#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>

#include "coordinator/sqlite_journal.hpp"
#include "shared/support/posix.hpp"
#include "tests/support/temporary_directory.hpp"

namespace baton {
namespace {

JobRow row(JobId id, const std::string& key) {
  JobRow job;
  job.id = id;
  job.key = key;
  job.payload = "payload of " + key;
  job.submit.set_key(key);
  job.submit.set_witness_path("/w");
  return job;
}

EndJob end(Ticket ticket, JobId id, const std::string& proof) {
  EndJob record;
  record.ticket = ticket;
  record.reply.set_job(id);
  record.reply.set_state(wire::JOB_DONE);
  record.reply.set_proof(proof);
  return record;
}

std::vector<JournalReply> replies_of(SqliteJournal& journal) {
  journal.flush();
  return journal.take_replies();
}

class JournalTest : public testing::Test {
 protected:
  std::unique_ptr<SqliteJournal> reopen() {
    Result<std::unique_ptr<SqliteJournal>> journal = SqliteJournal::open(path(), 1000);
    EXPECT_TRUE(journal.is_ok()) << journal.status().to_string();
    image_ = (*journal)->load().value();
    return std::move(journal).value();
  }
  std::string path() const { return directory_.path() + "/journal.sqlite"; }

  test::TemporaryDirectory directory_;
  JournalImage image_;
};

TEST_F(JournalTest, KeepsOpenJobsCircuitsAndTheSessionOverAReopening) {
  {
    auto journal = reopen();
    EXPECT_EQ(image_.session, 0u);
    ASSERT_TRUE(journal->begin_session(~0ull - 5, "boot", 3).is_ok());
    journal->post(AcceptJob{1, row(1, "one")});
    journal->post(AcceptJob{2, row(2, "two")});
    journal->post(NoteAttempt{{2, 4, 9}, 1, 2});
    journal->post(end(3, 1, "proof"));
    CircuitRow circuit;
    circuit.id = 7;
    circuit.entry.set_name("c");
    journal->post(PutCircuit{circuit});
    const auto replies = replies_of(*journal);
    ASSERT_EQ(replies.size(), 3u);
    EXPECT_EQ(std::get<Committed>(replies[2]).ticket, 3u);
  }
  const auto journal = reopen();
  EXPECT_EQ(image_.session, ~0ull - 5);
  EXPECT_EQ(image_.boot_id, "boot");
  EXPECT_EQ(image_.incarnation, 3u);
  EXPECT_EQ(image_.last_job, 2u);
  ASSERT_EQ(image_.open_jobs.size(), 1u);
  EXPECT_EQ(image_.open_jobs[0].key, "two");
  EXPECT_EQ(image_.open_jobs[0].attempt, (Attempt{2, 4, 9}));
  EXPECT_EQ(image_.open_jobs[0].strikes, 2u);
  EXPECT_EQ(image_.open_jobs[0].submit.witness_path(), "/w");
  ASSERT_EQ(image_.circuits.size(), 1u);
  EXPECT_EQ(image_.circuits[0].entry.name(), "c");
}

TEST_F(JournalTest, AKnownKeyIsAnsweredWithItsJob) {
  auto journal = reopen();
  journal->post(AcceptJob{1, row(1, "one")});
  journal->post(end(2, 1, "proof"));
  journal->post(AcceptJob{3, row(2, "one")});
  const auto replies = replies_of(*journal);
  ASSERT_EQ(replies.size(), 3u);
  const JobRow& existing = std::get<Existing>(replies[2]).row;
  EXPECT_EQ(existing.id, 1u);
  EXPECT_TRUE(existing.ended);
  EXPECT_EQ(existing.reply.proof(), "proof");
  EXPECT_TRUE(existing.submit.witness_path().empty());
}

TEST_F(JournalTest, TheFirstEndOfAJobStays) {
  auto journal = reopen();
  journal->post(AcceptJob{1, row(1, "one")});
  journal->post(end(2, 1, "first"));
  journal->post(end(3, 1, "second"));
  journal->post(FindJob{4, 1, {}});
  journal->post(FindJob{5, 0, "one"});
  journal->post(FindJob{6, 99, {}});
  const auto replies = replies_of(*journal);
  ASSERT_EQ(replies.size(), 6u);
  EXPECT_EQ(std::get<Found>(replies[3]).row->reply.proof(), "first");
  EXPECT_EQ(std::get<Found>(replies[4]).row->id, 1u);
  EXPECT_FALSE(std::get<Found>(replies[5]).row.has_value());
}

TEST_F(JournalTest, TheDescriptorIsReadableWhileRepliesWait) {
  auto journal = reopen();
  pollfd entry{journal->fd(), POLLIN, 0};
  EXPECT_EQ(::poll(&entry, 1, 0), 0);
  journal->post(AcceptJob{1, row(1, "one")});
  EXPECT_EQ(::poll(&entry, 1, 10'000), 1);
  EXPECT_EQ(journal->take_replies().size(), 1u);
  EXPECT_EQ(::poll(&entry, 1, 0), 0);
}

TEST_F(JournalTest, OnlyItsOwnerMayReadTheFile) {
  const auto journal = reopen();
  struct stat info {};
  ASSERT_EQ(::stat(path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0600u);
}

TEST_F(JournalTest, AFileThatIsNoJournalIsRefused) {
  Result<UniqueFd> file = open_file(path(), O_CREAT | O_WRONLY, 0600);
  ASSERT_TRUE(file.is_ok());
  ASSERT_TRUE(write_all(file->get(), std::string(8192, 'x'), path()).is_ok());
  EXPECT_EQ(SqliteJournal::open(path(), 10).status().code(), StatusCode::kCorrupt);
}

}  // namespace
}  // namespace baton
