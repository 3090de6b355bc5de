#include "shared/support/status.hpp"

#include <array>
#include <cerrno>
#include <system_error>

namespace baton {

namespace {

constexpr std::array<std::string_view, 18> kNames = {
    "ok",        "invalid input", "corrupt",    "not found",   "exists",           "permission",
    "no space",  "limit",         "busy",       "unavailable", "version mismatch", "deadline",
    "peer gone", "gpu transient", "gpu sticky", "cancelled",   "unsatisfied",      "internal"};

StatusCode code_of_errno(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
    case ESRCH:
      return StatusCode::kNotFound;
    case EEXIST:
      return StatusCode::kExists;
    case EACCES:
    case EPERM:
    case ELOOP:
    case EROFS:
      return StatusCode::kPermission;
    case ENOSPC:
    case EDQUOT:
    case ENOMEM:
    case EFBIG:
      return StatusCode::kNoSpace;
    case EMFILE:
    case ENFILE:
    case ENAMETOOLONG:
      return StatusCode::kLimit;
    case EAGAIN:
    case EBUSY:
      return StatusCode::kBusy;
    case EHOSTUNREACH:
    case EPIPE:
    case ECONNRESET:
    case ECONNREFUSED:
      return StatusCode::kPeerGone;
    default:
      return StatusCode::kInternal;
  }
}

}  // namespace

std::string_view to_string(StatusCode code) noexcept {
  const auto index = static_cast<std::size_t>(code);
  return index < kNames.size() ? kNames[index] : "unknown";
}

std::string Status::to_string() const {
  if (is_ok()) {
    return "ok";
  }
  return std::string(baton::to_string(code_)) + ": " + message_;
}

Status Status::with_context(std::string_view context) && {
  if (is_ok()) {
    return {};
  }
  return {code_, std::string(context) + ": " + message_};
}

Status errno_status(std::string_view what, int error) {
  return {code_of_errno(error), std::string(what) + ": " + std::generic_category().message(error)};
}

}  // namespace baton
