#pragma once

#include <string_view>

namespace baton {

/// One line on standard error that is written over and over, and wiped at the end; nothing at all where
/// standard error is no terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool enabled);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::string_view text);

 private:
  bool enabled_;
  bool shown_ = false;
};

}  // namespace baton
