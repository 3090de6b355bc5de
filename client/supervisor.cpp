#include "client/supervisor.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "shared/support/exit_codes.hpp"

namespace baton {

namespace {

constexpr Milliseconds kFirstPause{100};
constexpr Milliseconds kLongestPause{5000};
/// A program that ran for so long has recovered: its next failure counts as its first.
constexpr Milliseconds kHealthyRun{10000};

Milliseconds pause_after(unsigned failures) {
  const unsigned doublings = std::min(failures > 0 ? failures - 1 : 0U, 6U);
  return std::min(kFirstPause * (1U << doublings), kLongestPause);
}

}  // namespace

Status Supervisor::add(SupervisedProgram program) {
  entries_.push_back({std::move(program), std::nullopt, now(), std::nullopt, 0});
  return start(entries_.back());
}

Status Supervisor::start(Entry& entry) {
  entry.due.reset();
  BATON_ASSIGN_OR_RETURN(ChildProcess child, ChildProcess::start(entry.program.options));
  entry.child = std::move(child);
  entry.started = now();
  return Status::ok();
}

Status Supervisor::ended(Entry& entry, const ChildExit& exit) {
  entry.child.reset();
  if (!restarting_) {
    return Status::ok();
  }
  if (!exit.signalled && exit.code == exit_code::kRejected) {
    return {StatusCode::kVersionMismatch, entry.program.name + " was rejected (" + exit.to_string() + ")"};
  }
  if (now() - entry.started > kHealthyRun) {
    entry.failures = 0;
  }
  entry.failures = exit.success() ? 0 : entry.failures + 1;
  const Milliseconds pause = exit.success() ? Milliseconds(0) : pause_after(entry.failures);
  entry.due = now() + pause;
  if (!quiet_) {
    std::fprintf(stderr, "baton: %s ended (%s); starting it again in %lld ms\n", entry.program.name.c_str(),
                 exit.to_string().c_str(), static_cast<long long>(pause.count()));
  }
  return Status::ok();
}

Status Supervisor::tend() {
  for (Entry& entry : entries_) {
    if (entry.child) {
      if (const auto exit = entry.child->wait(0)) {
        BATON_RETURN_IF_ERROR(ended(entry, *exit));
      }
    }
    if (restarting_ && entry.due && *entry.due <= now()) {
      BATON_RETURN_IF_ERROR(start(entry));
    }
  }
  return Status::ok();
}

std::vector<int> Supervisor::descriptors() const {
  std::vector<int> fds;
  for (const Entry& entry : entries_) {
    if (entry.child) {
      fds.push_back(entry.child->pidfd());
    }
  }
  return fds;
}

std::optional<Instant> Supervisor::next_start() const {
  std::optional<Instant> first;
  for (const Entry& entry : entries_) {
    if (entry.due && (!first || *entry.due < *first)) {
      first = entry.due;
    }
  }
  return first;
}

void Supervisor::signal_all(int number) const {
  for (const Entry& entry : entries_) {
    if (entry.child) {
      entry.child->signal(number);
    }
  }
}

void Supervisor::signal_first(int number) const {
  if (!first_ended()) {
    entries_.front().child->signal(number);
  }
}

bool Supervisor::first_ended() const noexcept {
  return entries_.empty() || !entries_.front().child;
}

bool Supervisor::all_ended() const noexcept {
  return std::none_of(entries_.begin(), entries_.end(),
                      [](const Entry& entry) { return entry.child.has_value(); });
}

}  // namespace baton
