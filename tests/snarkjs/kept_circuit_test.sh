#!/usr/bin/env bash
# kept_circuit_test.sh FOLDER: the circuit kept in tests/data/FOLDER, proofs in both directions.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
data=$here/../data/$1

same_vkey "$data/key.zkey" "$data/verification_key.json"
baton_verifies "$data/verification_key.json" "$data/public.json" "$data/snarkjs_proof.json"
baton_proves "$data/key.zkey" "$data/witness.wtns" "$data/verification_key.json"
cmp "$scratch/public.json" "$data/public.json" || die "public.json differs from snarkjs'"
baton_proves "$data/key.zkey" "$data/witness.wtns" "$data/verification_key.json" --r1cs "$data/circuit.r1cs"
echo "$1: proofs in both directions"
