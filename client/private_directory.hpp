#pragma once

#include <string>

#include "shared/support/result.hpp"

namespace baton {

/// A directory of our own (0700, fresh name under XDG_RUNTIME_DIR or /tmp), removed with all that is in it.
class PrivateDirectory {
 public:
  static Result<PrivateDirectory> make();

  PrivateDirectory(PrivateDirectory&& other) noexcept;
  PrivateDirectory& operator=(PrivateDirectory&&) = delete;
  PrivateDirectory(const PrivateDirectory&) = delete;
  PrivateDirectory& operator=(const PrivateDirectory&) = delete;
  ~PrivateDirectory();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  explicit PrivateDirectory(std::string path) noexcept : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace baton
