#pragma once

#include <string_view>

namespace baton {

/// JavaScript for `node -e`: computes the witness of a circom 2 .wasm. Arguments: wasm, input JSON, output.
[[nodiscard]] std::string_view wasm_runner_source() noexcept;

}  // namespace baton
