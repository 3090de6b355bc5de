#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace baton {

/// What kind of failure happened. Values are part of the wire contract: never renumber.
enum class StatusCode : std::uint8_t {
  kOk = 0,
  kInvalidInput = 1,  ///< a file, argument or witness is wrong; trying again cannot help
  kCorrupt = 2,       ///< bytes that Baton itself wrote are not what they must be
  kNotFound = 3,
  kExists = 4,
  kPermission = 5,
  kNoSpace = 6,
  kLimit = 7,        ///< a configured or compiled bound was reached
  kBusy = 8,         ///< try again later
  kUnavailable = 9,  ///< nobody is there to do it
  kVersionMismatch = 10,
  kDeadline = 11,
  kPeerGone = 12,
  kGpuTransient = 13,  ///< this job failed on the device; the process may go on
  kGpuSticky = 14,     ///< the CUDA context is poisoned; the process must exit
  kCancelled = 15,
  kUnsatisfied = 16,  ///< the witness does not satisfy the circuit
  kInternal = 17,
};

/// Lower-case name of a code, for logs and JSON.
[[nodiscard]] std::string_view to_string(StatusCode code) noexcept;

/// Success, or a code with one line of text that names what failed, what was expected and what was found.
/// Cheap to move; safe to use from any thread that owns it.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  Status(StatusCode code, std::string message) noexcept : code_(code), message_(std::move(message)) {}

  static Status ok() noexcept { return {}; }

  [[nodiscard]] bool is_ok() const noexcept { return code_ == StatusCode::kOk; }
  [[nodiscard]] StatusCode code() const noexcept { return code_; }
  [[nodiscard]] const std::string& message() const noexcept { return message_; }

  /// "code: message", or "ok".
  [[nodiscard]] std::string to_string() const;

  /// The same failure with "context: " in front of its message; success stays success.
  [[nodiscard]] Status with_context(std::string_view context) &&;

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
};

inline Status invalid_input(std::string message) {
  return {StatusCode::kInvalidInput, std::move(message)};
}
inline Status internal_error(std::string message) {
  return {StatusCode::kInternal, std::move(message)};
}

/// The failure of a system call: `what` and strerror(error), under the code that fits errno best.
[[nodiscard]] Status errno_status(std::string_view what, int error);

}  // namespace baton
