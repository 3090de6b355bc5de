#!/usr/bin/env bash
# Runs clang-tidy 14 over the sources of the product, within a time budget.
#
#   scripts/check_tidy.sh [--all] [--budget SECONDS] [FILE...]
#
# Without FILEs: first the sources that differ from the main branch's last merge base or from HEAD~1, then the others
# in an order that changes from day to day, until the budget (360 s) is spent. With --all: all of them, however long.
# Needs a configured build/dev (for its compile commands).
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lib/common.sh

budget=360 files=()
while [ $# -gt 0 ]; do
  case "$1" in
    --all) budget=0 ;;
    --budget) budget=$2; shift ;;
    -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) files+=("$1") ;;
  esac
  shift
done
[ -f build/dev/compile_commands.json ] || fail "build/dev/compile_commands.json is missing: cmake --preset dev"

product_sources() {
  git ls-files -- 'shared/*.cpp' 'coordinator/*.cpp' 'synth-worker/*.cpp' 'gpu-worker/*.cpp' 'client/*.cpp'
}
changed_sources() {
  git diff --name-only --diff-filter=d HEAD~1 -- 2> /dev/null || true
}
if [ ${#files[@]} = 0 ]; then
  mapfile -t files < <(
    { grep -Fx -f <(changed_sources) <(product_sources) || true
      product_sources | shuf --random-source=<(yes "$(date +%F)"); } | awk '!seen[$0]++')
fi

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
check_one() {
  local deadline=$1 results=$2 file=$3
  if [ "$deadline" != 0 ] && [ "$(date +%s)" -ge "$deadline" ]; then
    return
  fi
  local name=${file//\//_}
  if clang-tidy-14 --quiet -p build/dev "$file" > "$results/$name.out" 2> /dev/null; then
    touch "$results/$name.good"
  else
    touch "$results/$name.bad"
  fi
}
export -f check_one
deadline=$((budget == 0 ? 0 : $(date +%s) + budget))
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'check_one "$@"' _ "$deadline" "$results"
good=$(find "$results" -name '*.good' | wc -l)
bad=$(find "$results" -name '*.bad' | wc -l)
for result in "$results"/*.bad; do
  [ -e "$result" ] && cat "${result%.bad}.out"
done
echo "clang-tidy: $((good + bad)) of ${#files[@]} files checked, $bad with findings"
[ "$bad" = 0 ]
