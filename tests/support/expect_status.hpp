#pragma once

#include <gtest/gtest.h>

#include <string>

#include "shared/support/result.hpp"

namespace baton::test {

[[nodiscard]] inline const Status& status_of(const Status& outcome) {
  return outcome;
}
template <class T>
[[nodiscard]] const Status& status_of(const Result<T>& outcome) {
  return outcome.status();
}

/// Passes when the outcome (a Status or a Result) is a failure whose message is one line that holds `part`.
template <class Outcome>
[[nodiscard]] ::testing::AssertionResult refused_saying(const Outcome& outcome, const std::string& part) {
  if (outcome.is_ok()) {
    return ::testing::AssertionFailure() << "it was accepted, expected: " << part;
  }
  const std::string& message = status_of(outcome).message();
  if (message.find(part) == std::string::npos || message.find('\n') != std::string::npos) {
    return ::testing::AssertionFailure() << "refused with: " << message << "\nexpected:     " << part;
  }
  return ::testing::AssertionSuccess();
}

}  // namespace baton::test
