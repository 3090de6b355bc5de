#!/usr/bin/env bash
# From a bare system to a verified proof: installs what is missing, builds, starts a coordinator, two synth-workers and
# a gpu-worker (CUDA where there are a GPU and nvcc, else the CPU), proves the kept circuit, verifies the proof, shows
# where the time went, shuts down. Everything it makes but the build lies in a temporary folder that it removes.
#
#   scripts/demo.sh [--proofs N]
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lib/common.sh

proofs=3
case "${1:-}" in
  -h | --help) sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 0 ;;
  --proofs) proofs=${2:?--proofs needs a number} ;;
  "") ;;
  *) fail "unknown option $1; see scripts/demo.sh --help" ;;
esac

echo "== install and build"
scripts/setup.sh --build-only
preset=release gpu=cpu
if have_gpu && [ -n "$(find_nvcc)" ]; then
  preset=cuda gpu=auto
  CUDACXX=$(find_nvcc)
  export CUDACXX
fi
configure_and_build "$preset" baton baton-coordinator baton-synth-worker baton-gpu-worker
bin=$PWD/build/$preset/bin
data=$PWD/tests/data/membership
before=$(ls /dev/shm)

scratch=$(mktemp -d)
run_dir=$scratch/run
service=
finish() {
  if [ -n "$service" ] && kill -0 "$service" 2> /dev/null; then
    kill -TERM "$service"
    wait "$service" || true
  fi
  rm -rf "$scratch"
}
trap finish EXIT

echo "== start the service: a coordinator, two synth-workers, a gpu-worker ($gpu)"
"$bin/baton" up --run-dir "$run_dir" --synth 2 --gpu "$gpu" > "$scratch/service.log" 2>&1 &
service=$!
for _ in $(seq 100); do
  "$bin/baton" status --run-dir "$run_dir" > /dev/null 2>&1 && break
  kill -0 "$service" 2> /dev/null || { cat "$scratch/service.log" >&2; fail "the service ended"; }
  sleep 0.1
done
"$bin/baton" status --run-dir "$run_dir"

echo "== prove a Merkle membership (7964 constraints, BN254) $proofs times, and verify"
for i in $(seq "$proofs"); do
  "$bin/baton" prove --run-dir "$run_dir" --json --r1cs "$data/circuit.r1cs" "$data/key.zkey" "$data/witness.wtns" \
    "$scratch/proof_$i.json" "$scratch/public_$i.json" > "$scratch/times_$i.json"
  "$bin/baton" verify "$data/verification_key.json" "$scratch/public_$i.json" "$scratch/proof_$i.json"
done

# print_row TITLE FIELD: one field of every proof's timings.
print_row() {
  printf '  %-34s' "$1"
  for i in $(seq "$proofs"); do
    printf '%10.1f' "$(grep -o "\"$2\":[0-9.e+-]*" "$scratch/times_$i.json" | cut -d: -f2)"
  done
  echo
}
echo "== where the time went, in ms (the first proof also checks, maps and loads the key)"
printf '  %-34s' "proof"
printf '%10d' $(seq "$proofs")
echo
print_row "waiting for a synth-worker" queued_ms
print_row "witness, constraints into the slot" fill_ms
print_row "waiting for the gpu-worker" filled_ms
print_row "proof" prove_ms
print_row "  transforms (quotient)" ntt_ms
print_row "  sum A" msm_a_ms
print_row "  sum B on G1" msm_b1_ms
print_row "  sum B on G2" msm_b2_ms
print_row "  sums C and H" msm_ch_ms
print_row "  assembly" assemble_ms
print_row "  own check by pairing" verify_ms
print_row "in all" total_ms

echo "== shut down"
kill -TERM "$service"
code=0
wait "$service" || code=$?
service=
[ "$code" = 0 ] || { cat "$scratch/service.log" >&2; fail "the service ended with exit code $code"; }
[ "$(ls /dev/shm)" = "$before" ] || fail "the service left files in /dev/shm: $(ls /dev/shm)"
echo "done: $proofs proofs, all valid; nothing left behind"
