#include "synth-worker/witness_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "shared/support/event_fd.hpp"
#include "shared/support/posix.hpp"
#include "shared/support/process_handle.hpp"
#include "tests/support/temporary_directory.hpp"

namespace baton {
namespace {

class WitnessProgramTest : public ::testing::Test {
 protected:
  /// A shell script: $1 is the input, $2 the output.
  WitnessProgramRun script(const std::string& body) {
    WitnessProgramRun run;
    run.program = directory_.file("program");
    std::ofstream(run.program) << "#!/bin/sh\n" << body << "\n";
    EXPECT_EQ(::chmod(run.program.c_str(), 0700), 0);
    run.input_bytes = std::as_bytes(std::span(input_));
    run.max_output_bytes = 1 << 20;
    run.guard = BATON_BIN_DIR "/baton-synth-worker";
    return run;
  }

  test::TemporaryDirectory directory_;
  const std::string input_ = "{\"x\": 3}";
};

std::string text_of(const ByteSource& source) {
  std::string text(static_cast<std::size_t>(source.size()), '\0');
  EXPECT_TRUE(source.read(0, std::as_writable_bytes(std::span(text))).is_ok());
  return text;
}

TEST_F(WitnessProgramTest, OutputOfASuccessfulProgramIsReturned) {
  const auto source = run_witness_program(script("cat \"$1\" \"$1\" > \"$2\""));
  ASSERT_TRUE(source.is_ok()) << source.status().to_string();
  EXPECT_EQ(text_of(**source), input_ + input_);
}

TEST_F(WitnessProgramTest, ProgramReadsAnInputFile) {
  WitnessProgramRun run = script("cat \"$1\" > \"$2\"");
  run.input_path = directory_.file("input.json");
  std::ofstream(run.input_path) << "from a file";
  EXPECT_EQ(text_of(**run_witness_program(run)), "from a file");
}

TEST_F(WitnessProgramTest, FailureCarriesTheLastPrintedLine) {
  const auto source = run_witness_program(script("echo first; echo 'assert failed in line 3' >&2; exit 3"));
  EXPECT_EQ(source.status().code(), StatusCode::kInvalidInput);
  EXPECT_NE(source.status().message().find("exit 3: assert failed in line 3"), std::string::npos)
      << source.status().message();
}

TEST_F(WitnessProgramTest, SuccessWithoutAWitnessIsAFailure) {
  EXPECT_EQ(run_witness_program(script("exit 0")).status().code(), StatusCode::kInvalidInput);
}

TEST_F(WitnessProgramTest, ProgramThatDoesNotExistIsNamed) {
  WitnessProgramRun run = script("");
  run.program = directory_.file("none");
  const Status status = run_witness_program(run).status();
  EXPECT_FALSE(status.is_ok());
  EXPECT_NE(status.message().find("none"), std::string::npos);
}

TEST_F(WitnessProgramTest, FloodOfOutputIsStopped) {
  WitnessProgramRun run = script("yes > \"$2\"");
  EXPECT_EQ(run_witness_program(run).status().code(), StatusCode::kInvalidInput);
  EXPECT_EQ(run_witness_program(script("yes")).status().code(), StatusCode::kInvalidInput);
}

/// Waits until the process whose number is in the file has ended.
void expect_gone(const std::string& pid_file) {
  const pid_t pid = std::stoi(read_small_file(pid_file, 100).value());
  const auto start_time = process_start_time(pid);
  if (!start_time.is_ok()) {
    return;
  }
  const auto handle = ProcessHandle::open({pid, *start_time});
  if (handle.is_ok()) {
    pollfd entry{handle->fd(), POLLIN, 0};
    EXPECT_EQ(::poll(&entry, 1, 20'000), 1) << "process " << pid << " lives on";
  }
}

TEST_F(WitnessProgramTest, HangingProgramDiesAtItsDeadlineWithItsChildren) {
  const std::string pid_file = directory_.file("pid");
  for (const char* start : {"sleep 1000 & echo $!", "setsid sleep 1000 & echo $!"}) {
    WitnessProgramRun run = script(std::string(start) + " > " + pid_file + "; wait");
    run.deadline = now() + Milliseconds(500);
    EXPECT_EQ(run_witness_program(run).status().code(), StatusCode::kDeadline);
    expect_gone(pid_file);
  }
}

TEST_F(WitnessProgramTest, ChildrenLeftBehindByASuccessfulProgramAreKilled) {
  const std::string pid_file = directory_.file("pid");
  const auto source =
      run_witness_program(script("setsid sleep 1000 & echo $! > " + pid_file + "; echo w > \"$2\""));
  EXPECT_TRUE(source.is_ok()) << source.status().to_string();
  expect_gone(pid_file);
}

TEST_F(WitnessProgramTest, EverythingDiesWithAKilledWorker) {
  const std::string pid_file = directory_.file("pid");
  const WitnessProgramRun run = script("setsid sleep 1000 & echo $! > " + pid_file + ".new; mv " + pid_file +
                                       ".new " + pid_file + "; wait");
  const pid_t worker = ::fork();
  if (worker == 0) {
    static_cast<void>(run_witness_program(run).is_ok());
    ::_exit(0);
  }
  const Instant end = now() + Milliseconds(20'000);
  while (!read_small_file(pid_file, 100).is_ok() && now() < end) {
    std::this_thread::yield();
  }
  ::kill(worker, SIGKILL);
  ::waitpid(worker, nullptr, 0);
  expect_gone(pid_file);
}

TEST_F(WitnessProgramTest, CancellationEndsTheProgram) {
  EventFd cancelled = EventFd::create().value();
  WitnessProgramRun run = script("sleep 1000");
  run.cancel_fd = cancelled.fd();
  std::thread canceller([&] { cancelled.signal(); });
  EXPECT_EQ(run_witness_program(run).status().code(), StatusCode::kCancelled);
  canceller.join();
}

TEST_F(WitnessProgramTest, ProgramInheritsNoDescriptorOfOurs) {
  const UniqueFd null = open_file("/dev/null", O_RDONLY).value();
  const UniqueFd secret(::dup2(null.get(), 77));
  ASSERT_TRUE(secret.is_open());  // dup2 leaves it open across exec
  const auto source =
      run_witness_program(script("if [ -e /proc/$$/fd/77 ]; then echo open; else echo closed; fi > \"$2\""));
  ASSERT_TRUE(source.is_ok());
  EXPECT_EQ(text_of(**source), "closed\n");
}

TEST_F(WitnessProgramTest, WebAssemblyGivesTheWitnessOfSnarkjs) {
  WitnessProgramRun run = script("");
  run.program = BATON_TEST_DATA "/membership/circuit.wasm";
  run.input_path = BATON_TEST_DATA "/membership/input.json";
  const auto source = run_witness_program(run);
  ASSERT_TRUE(source.is_ok()) << source.status().to_string();
  EXPECT_EQ(text_of(**source), read_small_file(BATON_TEST_DATA "/membership/witness.wtns", 10 << 20).value());
}

}  // namespace
}  // namespace baton
