#include "shared/support/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace baton::detail {

void check_failed(const char* expression, const char* file, int line) noexcept {
  std::fprintf(stderr, "%s:%d: broken invariant: %s\n", file, line, expression);
  std::abort();
}

}  // namespace baton::detail
