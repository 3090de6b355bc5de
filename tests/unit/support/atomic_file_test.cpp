#include "shared/support/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>

#include "shared/support/posix.hpp"
#include "tests/support/temporary_directory.hpp"

namespace baton {
namespace {

class AtomicFileTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::ptrdiff_t files() const {
    return std::distance(std::filesystem::directory_iterator(directory_.path()), {});
  }
  [[nodiscard]] static std::string content(const std::string& path) {
    return read_small_file(path, 100).value();
  }

  test::TemporaryDirectory directory_;
  std::string path_ = directory_.file("proof.json");
};

TEST_F(AtomicFileTest, appears_whole_and_alone) {
  ASSERT_TRUE(write_file_atomically(path_, "text").is_ok());
  EXPECT_EQ(content(path_), "text");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, replaces_an_older_file) {
  ASSERT_TRUE(write_file_atomically(path_, "older and longer").is_ok());
  ASSERT_TRUE(write_file_atomically(path_, "new").is_ok());
  EXPECT_EQ(content(path_), "new");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, is_not_seen_before_commit) {
  auto file = AtomicFile::create(path_);
  ASSERT_TRUE(file.is_ok());
  ASSERT_TRUE(file->append("one ").is_ok());
  ASSERT_TRUE(file->append("two").is_ok());
  ASSERT_TRUE(file->sync().is_ok());
  EXPECT_FALSE(std::filesystem::exists(path_));
  ASSERT_TRUE(file->commit().is_ok());
  EXPECT_EQ(content(path_), "one two");
}

TEST_F(AtomicFileTest, leaves_nothing_when_given_up) {
  {
    auto file = AtomicFile::create(path_);
    ASSERT_TRUE(file.is_ok());
    ASSERT_TRUE(file->append("text").is_ok());
    AtomicFile moved = std::move(*file);
    EXPECT_EQ(files(), 1);
  }
  EXPECT_EQ(files(), 0);
}

TEST_F(AtomicFileTest, leaves_nothing_when_there_is_no_room) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{8, before.rlim_max};
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status status = write_file_atomically(path_, "more than eight bytes");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(status.code(), StatusCode::kNoSpace);
  EXPECT_EQ(status.message(), path_ + ": File too large");
  EXPECT_EQ(files(), 0);
}

TEST_F(AtomicFileTest, refuses_what_is_no_place_for_a_file) {
  EXPECT_EQ(write_file_atomically(directory_.file("absent/proof.json"), "x").code(), StatusCode::kNotFound);
  EXPECT_EQ(write_file_atomically(directory_.path(), "x").code(), StatusCode::kInvalidInput);
  EXPECT_EQ(write_file_atomically(directory_.path() + "/", "x").code(), StatusCode::kInvalidInput);
  EXPECT_EQ(write_file_atomically("", "x").code(), StatusCode::kInvalidInput);
  EXPECT_EQ(write_file_atomically("/dev/null", "x").message(), "/dev/null: exists and is not a regular file");
  EXPECT_EQ(files(), 0);
}

}  // namespace
}  // namespace baton
