#!/usr/bin/env bash
# Installs what is missing, builds, and passes every test; prints how long each part took.
#
#   scripts/test.sh [PART...]
#
# Parts, in order (all of them by default):
#   setup      packages and the JavaScript tools of the cross-checks
#   checks     layers, test registration, format
#   build      the dev build
#   unit       tests of single libraries
#   process    tests with real processes
#   faults     processes killed, stopped and starved at named points
#   snarkjs    cross-checks with snarkjs on both curves
#   asan       build with address and undefined-behaviour sanitizers; unit and process tests
#   tsan       the same with the thread sanitizer
#   fuzz       every fuzz target for a bounded time (BATON_FUZZ_SECONDS each, default 20)
#   tidy       clang-tidy within a time budget (BATON_TIDY_SECONDS, default 360)
#   cuda       compiles the CUDA prover where there is nvcc; runs its tests where there is a GPU
set -uo pipefail
cd "$(dirname "$0")/.."
source scripts/lib/common.sh

all_parts=(setup checks build unit process faults snarkjs asan tsan fuzz tidy cuda)
times=() failed=()

# run_ctest PRESET JOBS ARGUMENT...: its closing lines are printed, and all of it when a test fails.
run_ctest() {
  local preset=$1 jobs=$2 log
  shift 2
  log=$(mktemp)
  if ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --no-tests=error "$@" > "$log" 2>&1; then
    grep -A 20 -E '^[0-9]+% tests passed' "$log" | grep -vE '^$|sec\*proc'
    rm "$log"
    return 0
  fi
  cat "$log"
  rm "$log"
  return 1
}

part_setup() { scripts/setup.sh --npm; }
part_checks() {
  local good=0
  scripts/check_layers.py || good=1
  scripts/check_tests_registered.py || good=1
  scripts/check_format.sh || good=1
  return $good
}
part_build() { configure_and_build dev; }
part_unit() { run_ctest dev "$(nproc)" -LE 'process|fault|snarkjs|gpu|long'; }
part_process() { run_ctest dev 1 -L process -LE 'fault|snarkjs|gpu|long'; }
part_faults() { run_ctest dev 1 -L fault -LE 'gpu|long'; }
part_snarkjs() { run_ctest dev 1 -L snarkjs; }

sanitized() {
  configure_and_build "$1" && run_ctest "$1" "$(nproc)" -LE 'fault|snarkjs|gpu|long'
}
part_asan() {
  ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
    sanitized asan
}
part_tsan() { TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1 sanitized tsan; }

# Small valid files of both curves, for the fuzzers to start from.
make_fuzz_seeds() {
  local seeds=build/fuzz/seeds curve kind file
  rm -rf "$seeds"
  mkdir -p "$seeds"
  for curve in bn128 bls12381; do
    build/fuzz/bin/baton-fixture chain 2 "$seeds/$curve" --curve "$curve" > /dev/null || return 1
  done
  for kind in proving_key:zkey witness:wtns r1cs:r1cs verification_key_json:vkey.json; do
    mkdir -p "build/fuzz/corpus/${kind%:*}_fuzz"
    cp "$seeds"/*."${kind#*:}" "build/fuzz/corpus/${kind%:*}_fuzz/"
  done
  mkdir -p build/fuzz/corpus/{matrix,proof_json,public_json}_fuzz
  build/fuzz/bin/matrix_seed build/fuzz/corpus/matrix_fuzz || return 1
  for file in membership membership_bls12381; do
    cp "tests/data/$file/snarkjs_proof.json" "build/fuzz/corpus/proof_json_fuzz/$file.json"
    cp "tests/data/$file/public.json" "build/fuzz/corpus/public_json_fuzz/$file.json"
  done
}

part_fuzz() {
  local seconds=${BATON_FUZZ_SECONDS:-20} target name log count=0 bad=0
  configure_and_build fuzz fuzzers && make_fuzz_seeds || return 1
  for target in build/fuzz/bin/*_fuzz; do
    [ -x "$target" ] || fail "the fuzz build made no build/fuzz/bin/*_fuzz"
    name=${target##*/}
    log=build/fuzz/$name.log
    mkdir -p "build/fuzz/corpus/$name"
    count=$((count + 1))
    if ! "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
      -artifact_prefix="build/fuzz/$name-" "build/fuzz/corpus/$name" > "$log" 2>&1; then
      bad=$((bad + 1))
      tail -n 40 "$log"
    fi
  done
  echo "fuzz: $((count - bad)) passed, $bad failed ($seconds s each)"
  [ "$bad" = 0 ]
}

part_tidy() { scripts/check_tidy.sh --budget "${BATON_TIDY_SECONDS:-360}"; }

part_cuda() {
  local nvcc
  nvcc=$(find_nvcc)
  if [ -z "$nvcc" ]; then
    echo "cuda: not compiled, there is no nvcc"
    return 0
  fi
  CUDACXX=$nvcc configure_and_build cuda gpu_tests baton || return 1
  if have_gpu; then
    run_ctest cuda 1 -L gpu
  else
    echo "cuda: compiled; its tests need a GPU"
  fi
}

run_part() {
  local part=$1 start=$SECONDS
  echo "== $part"
  if "part_$part"; then
    times+=("$(printf '%-10s %5d s' "$part" $((SECONDS - start)))")
  else
    times+=("$(printf '%-10s %5d s  FAILED' "$part" $((SECONDS - start)))")
    failed+=("$part")
  fi
}

if [ "${1:-}" = -h ] || [ "${1:-}" = --help ]; then
  sed -n '2,19s/^# \{0,1\}//p' "$0"
  exit 0
fi
parts=("$@")
[ ${#parts[@]} = 0 ] && parts=("${all_parts[@]}")
for part in "${parts[@]}"; do
  declare -F "part_$part" > /dev/null || fail "unknown part $part; see scripts/test.sh --help"
  run_part "$part"
  # Nothing after these two can pass without them.
  if [ ${#failed[@]} != 0 ] && { [ "$part" = setup ] || [ "$part" = build ]; }; then
    break
  fi
done

printf '\n%s\n' "${times[@]}"
if [ ${#failed[@]} != 0 ]; then
  echo "FAILED: ${failed[*]}"
  exit 1
fi
echo "all parts passed in $SECONDS s"
