#include "tests/support/process_under_test.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace baton::test {

ProcessUnderTest::ProcessUnderTest(const std::string& program, std::vector<std::string> arguments,
                                   Environment environment) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    std::perror("pipe2");
    std::abort();
  }
  UniqueFd read_end(ends[0]);
  const UniqueFd write_end(ends[1]);
  ChildOptions options;
  options.program = std::string(BATON_BIN_DIR) + "/" + program;
  options.arguments = std::move(arguments);
  options.environment = std::move(environment);
  options.stderr_fd = write_end.get();
  options.parent_death_signal = SIGKILL;  // a test that is killed itself leaves nothing running
  auto child = ChildProcess::start(options);
  if (!child.is_ok()) {
    std::fprintf(stderr, "%s\n", child.status().to_string().c_str());
    std::abort();
  }
  child_.emplace(std::move(*child));
  reader_ = std::thread([this, fd = read_end.release()] { read_output(UniqueFd(fd)); });
}

ProcessUnderTest::~ProcessUnderTest() {
  child_->signal(SIGKILL);
  child_->wait(-1);
  reader_.join();
}

void ProcessUnderTest::read_output(UniqueFd fd) {
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    const std::lock_guard lock(mutex_);
    if (count <= 0) {
      ended_ = true;
    } else {
      output_.append(buffer.data(), static_cast<std::size_t>(count));
    }
    printed_.notify_all();
    if (ended_) {
      return;
    }
  }
}

bool ProcessUnderTest::wait_for_line(const std::string& text) {
  std::unique_lock lock(mutex_);
  printed_.wait_for(lock, kWatchdog, [&] { return ended_ || output_.find(text) != std::string::npos; });
  return output_.find(text) != std::string::npos;
}

std::optional<ChildExit> ProcessUnderTest::wait_for_exit() {
  return child_->wait(static_cast<int>(std::chrono::milliseconds(kWatchdog).count()));
}

std::string ProcessUnderTest::output() const {
  const std::lock_guard lock(mutex_);
  return output_;
}

}  // namespace baton::test
