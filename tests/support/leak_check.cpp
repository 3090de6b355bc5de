#include "tests/support/leak_check.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "shared/contract/names.hpp"

namespace baton::test {

namespace {

/// Files that a later start of the service uses.
bool may_stay(const std::string& name) {
  return name == "lock" || name == "circuits" || name.rfind("journal.sqlite", 0) == 0;
}

std::set<std::string> children() {
  std::set<std::string> pids;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "children");
    for (std::string pid; file >> pid;) {
      pids.insert(pid);
    }
  }
  return pids;
}

std::size_t descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

void report(const char* what, const std::set<std::string>& before, const std::set<std::string>& after,
            std::string& text) {
  for (const std::string& name : after) {
    if (before.count(name) == 0) {
      text += std::string(what) + " " + name + "\n";
    }
  }
}

}  // namespace

LeakCheck::LeakCheck() : children_(children()), descriptors_(descriptors()) {}

std::string LeakCheck::leaks(const std::string& run_dir) const {
  std::string text;
  const std::string shm = shm_directory(::geteuid(), run_dir);
  if (std::filesystem::exists(shm)) {
    text += shm + " is left\n";
  }
  for (const auto& entry : std::filesystem::directory_iterator(run_dir)) {
    if (!may_stay(entry.path().filename().string())) {
      text += entry.path().string() + " is left\n";
    }
  }
  report("child process", children_, children(), text);
  if (const std::size_t now = descriptors(); now > descriptors_) {
    text += "descriptors: " + std::to_string(descriptors_) + " before, " + std::to_string(now) + " now\n";
  }
  return text;
}

}  // namespace baton::test
