#pragma once

#include <cstdlib>
#include <optional>
#include <utility>

#include "shared/support/status.hpp"

namespace baton {

/// A value, or the Status that says why there is none. Never holds a successful Status without a value.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}                  // NOLINT: implicit by design
  Result(Status status) noexcept : status_(std::move(status)) {  // NOLINT: implicit by design
    if (status_.is_ok()) {
      status_ = internal_error("a result without a value");
    }
  }

  [[nodiscard]] bool is_ok() const noexcept { return value_.has_value(); }
  explicit operator bool() const noexcept { return is_ok(); }

  /// Ok when there is a value.
  [[nodiscard]] const Status& status() const& noexcept { return status_; }
  [[nodiscard]] Status status() && noexcept { return std::move(status_); }

  /// The value; the process aborts when there is none.
  [[nodiscard]] T& value() & {
    check();
    return *value_;
  }
  [[nodiscard]] const T& value() const& {
    check();
    return *value_;
  }
  [[nodiscard]] T&& value() && {
    check();
    return std::move(*value_);
  }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }

 private:
  void check() const noexcept {
    if (!value_) {
      std::abort();
    }
  }

  std::optional<T> value_;
  Status status_;
};

}  // namespace baton

#define BATON_CONCAT_INNER(a, b) a##b
#define BATON_CONCAT(a, b) BATON_CONCAT_INNER(a, b)

/// Returns the Status of `expression` from the enclosing function when it failed.
#define BATON_RETURN_IF_ERROR(expression)                                     \
  do {                                                                        \
    if (::baton::Status baton_status = (expression); !baton_status.is_ok()) { \
      return baton_status;                                                    \
    }                                                                         \
  } while (false)

/// Declares `declaration` from the value of a Result, or returns its Status.
#define BATON_ASSIGN_OR_RETURN(declaration, expression) \
  BATON_ASSIGN_OR_RETURN_IMPL(BATON_CONCAT(baton_result_, __LINE__), declaration, expression)
#define BATON_ASSIGN_OR_RETURN_IMPL(result, declaration, expression) \
  auto result = (expression);                                        \
  if (!result.is_ok()) {                                             \
    return std::move(result).status();                               \
  }                                                                  \
  declaration = std::move(result).value()
