#!/usr/bin/env bash
# Fails when a source is not formatted as .clang-format says (clang-format 14). With --fix, formats it instead.
set -euo pipefail
cd "$(dirname "$0")/.."
arguments=(--dry-run -Werror)
if [ "${1:-}" = --fix ]; then
  arguments=(-i)
fi
mapfile -t sources < <(git ls-files --cached --others --exclude-standard -- '*.hpp' '*.cpp' '*.cu' '*.cuh')
printf '%s\0' "${sources[@]}" | xargs -0 -n 40 -P "$(nproc)" clang-format-14 "${arguments[@]}"
echo "format: ${#sources[@]} files"
