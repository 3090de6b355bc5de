#include "client/progress_line.hpp"

#include <unistd.h>

#include <cstdio>

namespace baton {

ProgressLine::ProgressLine(bool enabled) : enabled_(enabled && ::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (shown_) {
    std::fputs("\r\033[K", stderr);
  }
}

void ProgressLine::show(std::string_view text) {
  if (enabled_) {
    shown_ = true;
    std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(text.size()), text.data());
  }
}

}  // namespace baton
