#include "shared/support/signals.hpp"

#include <pthread.h>
#include <sys/signalfd.h>

#include <cerrno>
#include <csignal>

namespace baton {

Result<SignalFd> SignalFd::create(std::initializer_list<int> signals) {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : signals) {
    ::sigaddset(&set, signal);
  }
  if (const int error = ::pthread_sigmask(SIG_BLOCK, &set, nullptr); error != 0) {
    return errno_status("pthread_sigmask", error);
  }
  UniqueFd fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd.is_open()) {
    return errno_status("signalfd", errno);
  }
  return SignalFd(std::move(fd));
}

std::optional<int> SignalFd::take() noexcept {
  signalfd_siginfo info{};
  if (::read(fd_.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) {
    return std::nullopt;
  }
  return static_cast<int>(info.ssi_signo);
}

}  // namespace baton
