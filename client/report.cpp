#include "client/report.hpp"

#include <cstdio>

#include "shared/support/exit_codes.hpp"

namespace baton {

int exit_code_of(const Status& status) {
  switch (status.code()) {
    case StatusCode::kOk:
      return exit_code::kOk;
    case StatusCode::kInvalidInput:
    case StatusCode::kNotFound:
      return exit_code::kBadInput;
    case StatusCode::kUnavailable:
    case StatusCode::kPeerGone:
      return exit_code::kUnavailable;
    case StatusCode::kBusy:
    case StatusCode::kNoSpace:
    case StatusCode::kDeadline:
      return exit_code::kTemporary;
    case StatusCode::kVersionMismatch:
      return exit_code::kRejected;
    default:
      return exit_code::kFailed;
  }
}

int report_failure(const Status& status) {
  std::fprintf(stderr, "baton: %s\n", status.message().c_str());
  return exit_code_of(status);
}

}  // namespace baton
