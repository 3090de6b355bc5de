#include "shared/support/secure_random.hpp"

#include <sys/random.h>

#include <cerrno>

namespace baton {

Status fill_random(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::getrandom(bytes.data(), bytes.size(), 0);
    if (count < 0) {
      if (errno == EINTR) {
        continue;
      }
      return errno_status("getrandom", errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return Status::ok();
}

Result<std::uint64_t> random_u64() {
  std::uint64_t value = 0;
  while (value == 0) {
    BATON_RETURN_IF_ERROR(fill_random(std::as_writable_bytes(std::span(&value, 1))));
  }
  return value;
}

}  // namespace baton
