#pragma once

#include <filesystem>
#include <string>

namespace baton::test {

/// A private directory (0700) with a short path, removed with its content when the test ends.
class TemporaryDirectory {
 public:
  explicit TemporaryDirectory(const std::string& parent = "/tmp") {
    std::string pattern = parent + "/baton-test-XXXXXX";
    const char* made = ::mkdtemp(pattern.data());
    path_ = made == nullptr ? std::string() : pattern;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace baton::test
