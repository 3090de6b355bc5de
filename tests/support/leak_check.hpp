#pragma once

#include <cstddef>
#include <set>
#include <string>

namespace baton::test {

/// What must be the same after a test as before it: this process' children and open descriptors. Of a run
/// directory nothing may be left but what a later start needs, and no shared memory at all.
class LeakCheck {
 public:
  LeakCheck();

  /// One line for each thing that is there now and was not; empty when nothing leaked.
  [[nodiscard]] std::string leaks(const std::string& run_dir) const;

 private:
  std::set<std::string> children_;
  std::size_t descriptors_ = 0;
};

}  // namespace baton::test
