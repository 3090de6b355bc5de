#pragma once

namespace baton::detail {
/// Prints the broken invariant to stderr and aborts.
[[noreturn]] void check_failed(const char* expression, const char* file, int line) noexcept;
}  // namespace baton::detail

/// An invariant of the program itself (never of its input): when it is broken, going on would do harm.
#define BATON_CHECK(expression) \
  ((expression) ? static_cast<void>(0) : ::baton::detail::check_failed(#expression, __FILE__, __LINE__))
