#pragma once

#include <cstddef>
#include <set>
#include <string>

namespace baton::test {

/// What must be the same after a test as before it: Baton's names in /dev/shm, this process' children and
/// open descriptors.
class LeakCheck {
 public:
  LeakCheck();

  /// One line for each thing that is there now and was not; empty when nothing leaked.
  [[nodiscard]] std::string leaks() const;

 private:
  std::set<std::string> segments_;
  std::set<std::string> children_;
  std::size_t descriptors_ = 0;
};

}  // namespace baton::test
