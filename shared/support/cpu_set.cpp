#include "shared/support/cpu_set.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <thread>

#include "shared/support/concat.hpp"

namespace baton {

namespace {

/// One number at the front of `text`, which it leaves behind; false when there is none.
bool take_number(std::string_view& text, unsigned& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number >= CPU_SETSIZE) {
    return false;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

}  // namespace

Result<std::vector<unsigned>> parse_cpu_set(std::string_view text) {
  const Status mistake = invalid_input(concat("expected CPUs as \"0-3,8\", found \"", text, "\""));
  std::vector<unsigned> cpus;
  for (;;) {
    unsigned first = 0;
    if (!take_number(text, first)) {
      return mistake;
    }
    unsigned last = first;
    if (text.starts_with('-')) {
      text.remove_prefix(1);
      if (!take_number(text, last) || last < first) {
        return mistake;
      }
    }
    for (unsigned cpu = first; cpu <= last; ++cpu) {
      cpus.push_back(cpu);
    }
    if (text.empty()) {
      break;
    }
    if (!text.starts_with(',')) {
      return mistake;
    }
    text.remove_prefix(1);
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

Status use_cpus(std::string_view text) {
  if (text.empty()) {
    return Status::ok();
  }
  BATON_ASSIGN_OR_RETURN(const std::vector<unsigned> cpus, parse_cpu_set(text));
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const unsigned cpu : cpus) {
    CPU_SET(cpu, &set);
  }
  return ::sched_setaffinity(0, sizeof set, &set) == 0 ? Status::ok()
                                                       : errno_status(concat("CPUs ", text), errno);
}

unsigned usable_cpus() noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int count = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
  return count > 0 ? static_cast<unsigned>(count) : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace baton
