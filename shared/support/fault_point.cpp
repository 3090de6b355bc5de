#include "shared/support/fault_point.hpp"

#ifdef BATON_FAULTS

#include <unistd.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <string>
#include <string_view>
#include <thread>

namespace baton {

namespace {

struct ArmedPoint {
  ArmedPoint(std::string_view point, std::string_view what, unsigned at)
      : name(point), action(what), hit(at) {}
  std::string name;
  std::string action;
  unsigned hit;
  std::atomic<unsigned> passed{0};
};

unsigned parse_number(std::string_view text, unsigned fallback) {
  unsigned value = fallback;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void arm(std::deque<ArmedPoint>& points, std::string_view entry) {
  const std::size_t equals = entry.find('=');
  if (equals == std::string_view::npos) {
    return;
  }
  std::string_view action = entry.substr(equals + 1);
  unsigned hit = 1;
  if (const std::size_t at = action.find('@'); at != std::string_view::npos) {
    hit = parse_number(action.substr(at + 1), 1);
    action = action.substr(0, at);
  }
  points.emplace_back(entry.substr(0, equals), action, hit);
}

std::deque<ArmedPoint> parse_environment() {
  std::deque<ArmedPoint> points;
  const char* text = std::getenv("BATON_FAULTS");
  std::string_view rest = text == nullptr ? "" : text;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    arm(points, rest.substr(0, comma));
    rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
  }
  return points;
}

/// The last line of a process that a fault point ends names the point.
void announce(const ArmedPoint& point) {
  const std::string line = "fault point " + point.name + ": " + point.action + "\n";
  [[maybe_unused]] const ssize_t count = ::write(STDERR_FILENO, line.data(), line.size());
}

FaultAction carry_out(const ArmedPoint& point) {
  announce(point);
  const std::string_view action = point.action;
  if (action == "kill") {
    ::kill(::getpid(), SIGKILL);
  } else if (action == "stop") {
    ::kill(::getpid(), SIGSTOP);
  } else if (action == "exit") {
    ::_exit(1);
  } else if (action.substr(0, 5) == "delay") {
    const unsigned milliseconds = action.size() > 6 ? parse_number(action.substr(6), 100) : 100;
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  } else if (action == "error") {
    return FaultAction::kError;
  } else if (action == "corrupt") {
    return FaultAction::kCorrupt;
  } else if (action == "short") {
    return FaultAction::kShort;
  }
  return FaultAction::kNone;
}

}  // namespace

FaultAction fault_point(const char* point) {
  static std::deque<ArmedPoint> points = parse_environment();
  for (ArmedPoint& armed : points) {
    if (armed.name == point && armed.passed.fetch_add(1) + 1 == armed.hit) {
      return carry_out(armed);
    }
  }
  return FaultAction::kNone;
}

}  // namespace baton

#endif
