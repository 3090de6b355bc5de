#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace baton {

namespace detail {
inline void append_part(std::string& out, std::string_view part) {
  out.append(part);
}
inline void append_part(std::string& out, std::integral auto part) {
  out.append(std::to_string(part));
}
}  // namespace detail

/// One string from texts and integers (integers in decimal), for messages.
template <class... Parts>
[[nodiscard]] std::string concat(const Parts&... parts) {
  std::string out;
  (detail::append_part(out, parts), ...);
  return out;
}

}  // namespace baton
