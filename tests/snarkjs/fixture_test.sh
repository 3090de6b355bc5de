#!/usr/bin/env bash
# fixture_test.sh CURVE: snarkjs accepts the keys and witnesses that baton-fixture makes, and Baton's proofs with them.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
curve=$1
cd "$scratch"

# check NAME ARGUMENT...: makes a fixture, proves it with both, lets snarkjs verify both.
check() {
  local name=$1
  shift
  quietly "$BATON_FIXTURE" "$@" "$name" --curve "$curve"
  quietly snarkjs wtns check "$name.r1cs" "$name.wtns"
  quietly snarkjs groth16 prove "$name.zkey" "$name.wtns" proof_snarkjs.json public_snarkjs.json
  quietly snarkjs groth16 verify "$name.vkey.json" public_snarkjs.json proof_snarkjs.json
  if [ -n "${BATON:-}" ]; then
    baton_proves "$name.zkey" "$name.wtns" "$name.vkey.json" --r1cs "$name.r1cs"
    cmp public.json public_snarkjs.json || die "public.json differs from snarkjs' for $name"
    expect_exit 0 "$BATON" verify "$name.vkey.json" public_snarkjs.json proof_snarkjs.json
  fi
}

check chain chain 8
check bits bits 10
check dense dense 6
check two chain 1 --public 0
check empty chain 1 --public 1 --constraints 0
check inputs chain 7 --public 40
check early chain 5 --zero-contributions
echo "fixtures on $curve: snarkjs accepts every key, and every proof of both provers"
