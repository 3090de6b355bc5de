#include "shared/support/child_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

namespace baton {
namespace {

ChildOptions shell(const std::string& script) {
  ChildOptions options;
  options.program = "/bin/sh";
  options.arguments = {"-c", script};
  return options;
}

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

Pipe make_pipe() {
  std::array<int, 2> fds{};
  EXPECT_EQ(::pipe2(fds.data(), O_CLOEXEC), 0);
  return {UniqueFd(fds[0]), UniqueFd(fds[1])};
}

std::string read_all(int fd) {
  std::string text;
  std::array<char, 256> buffer{};
  for (ssize_t got = 0; (got = ::read(fd, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return text;
}

TEST(ChildProcess, ReportsTheExitStatusOfItsChild) {
  auto sut = ChildProcess::start(shell("exit 3"));
  ASSERT_TRUE(sut.is_ok()) << sut.status().to_string();
  const auto ended = sut->wait(-1);
  ASSERT_TRUE(ended.has_value());
  EXPECT_FALSE(ended->signalled);
  EXPECT_EQ(ended->code, 3);
}

TEST(ChildProcess, ReportsTheSignalThatEndedItsChild) {
  auto sut = ChildProcess::start(shell("kill -TERM $$"));
  ASSERT_TRUE(sut.is_ok());
  EXPECT_EQ(sut->wait(-1)->to_string(), "signal 15");
}

TEST(ChildProcess, RefusesAProgramThatDoesNotExist) {
  ChildOptions options;
  options.program = "/nowhere/program";
  const auto sut = ChildProcess::start(options);
  ASSERT_FALSE(sut.is_ok());
  EXPECT_EQ(sut.status().code(), StatusCode::kNotFound);
  EXPECT_NE(sut.status().message().find("/nowhere/program"), std::string::npos);
}

TEST(ChildProcess, PassesOnlyTheStandardDescriptors) {
  Pipe pipe = make_pipe();
  UniqueFd leaky(::open("/dev/null", O_RDONLY));
  ChildOptions options = shell("ls /proc/self/fd | wc -l");
  options.stdout_fd = pipe.write.get();
  auto sut = ChildProcess::start(options);
  ASSERT_TRUE(sut.is_ok());
  pipe.write.reset();
  EXPECT_EQ(read_all(pipe.read.get()), "4\n");  // 0, 1, 2 and the directory that ls reads
  EXPECT_TRUE(sut->wait(-1)->success());
}

TEST(ChildProcess, AddsAndReplacesEnvironmentVariables) {
  Pipe pipe = make_pipe();
  ChildOptions options = shell("echo $HOME $BATON_EXTRA");
  options.environment = {{"HOME", "/elsewhere"}, {"BATON_EXTRA", "more"}};
  options.stdout_fd = pipe.write.get();
  auto sut = ChildProcess::start(options);
  ASSERT_TRUE(sut.is_ok());
  pipe.write.reset();
  EXPECT_EQ(read_all(pipe.read.get()), "/elsewhere more\n");
}

TEST(ChildProcess, KillsTheWholeGroupWhenItsLeaderEnds) {
  Pipe pipe = make_pipe();
  ChildOptions options = shell("sleep 1000 & echo started; exit 0");
  options.stdout_fd = pipe.write.get();
  options.new_group = true;
  auto sut = ChildProcess::start(options);
  ASSERT_TRUE(sut.is_ok());
  pipe.write.reset();
  EXPECT_TRUE(sut->wait(-1)->success());
  EXPECT_EQ(read_all(pipe.read.get()), "started\n");  // ends only when the sleeping grandchild is gone too
}

TEST(ChildProcess, KillsItsChildWhenDestroyed) {
  Pipe pipe = make_pipe();
  ChildOptions options = shell("exec sleep 1000");
  options.stdout_fd = pipe.write.get();
  {
    auto sut = ChildProcess::start(options);
    ASSERT_TRUE(sut.is_ok());
    pipe.write.reset();
    EXPECT_FALSE(sut->wait(0).has_value());
  }
  EXPECT_EQ(read_all(pipe.read.get()), "");
}

TEST(ChildProcess, EnforcesItsFileSizeLimit) {
  const std::string path = ::testing::TempDir() + "child_process_limit";
  ChildOptions options = shell("head -c 100000 /dev/zero > " + path);
  options.limits.file_bytes = 4096;
  auto sut = ChildProcess::start(options);
  ASSERT_TRUE(sut.is_ok());
  EXPECT_FALSE(sut->wait(-1)->success());
  ::unlink(path.c_str());
}

}  // namespace
}  // namespace baton
