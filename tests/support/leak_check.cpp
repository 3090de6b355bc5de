#include "tests/support/leak_check.hpp"

#include <filesystem>
#include <fstream>

namespace baton::test {

namespace {

std::set<std::string> segments() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("/dev/shm")) {
    const std::string path = entry.path().string();
    if (path.rfind("/dev/shm/baton-", 0) == 0 && path.rfind("/dev/shm/baton-test-", 0) != 0) {
      names.insert(path);
    }
  }
  return names;
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

LeakCheck::LeakCheck() : segments_(segments()), children_(children()), descriptors_(descriptors()) {}

std::string LeakCheck::leaks() const {
  std::string text;
  report("segment", segments_, segments(), text);
  report("child process", children_, children(), text);
  if (const std::size_t now = descriptors(); now > descriptors_) {
    text += "descriptors: " + std::to_string(descriptors_) + " before, " + std::to_string(now) + " now\n";
  }
  return text;
}

}  // namespace baton::test
