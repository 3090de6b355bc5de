#!/usr/bin/env bash
# circomlib_test.sh CURVE: a circuit of circomlib, from its source to proofs in both directions.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
curve=$1
cd "$scratch"

quietly circom circuits/circomlib_mix.circom --r1cs --wasm --O1 --prime "$curve" --output "$scratch"
wasm=circomlib_mix_js/circomlib_mix.wasm
input=$here/circuits/circomlib_mix.input.json
quietly snarkjs powersoftau new "$curve" 11 pot_0.ptau
quietly snarkjs powersoftau contribute pot_0.ptau pot_1.ptau -e=throw-away --name=test
quietly snarkjs powersoftau prepare phase2 pot_1.ptau pot.ptau
quietly snarkjs groth16 setup circomlib_mix.r1cs pot.ptau key_0.zkey
quietly snarkjs zkey contribute key_0.zkey key.zkey -e=throw-away --name=test
quietly snarkjs zkey export verificationkey key.zkey vkey_snarkjs.json
quietly snarkjs wtns calculate "$wasm" "$input" witness.wtns
quietly snarkjs groth16 prove key.zkey witness.wtns proof_snarkjs.json public_snarkjs.json

same_vkey key.zkey vkey_snarkjs.json
baton_verifies vkey_snarkjs.json public_snarkjs.json proof_snarkjs.json
baton_proves key.zkey witness.wtns vkey_snarkjs.json
cmp public.json public_snarkjs.json || die "public.json differs from snarkjs'"
baton_proves key.zkey witness.wtns vkey_snarkjs.json --r1cs circomlib_mix.r1cs
rm proof.json public.json
quietly "$BATON" prove --input "$input" --witness-program "$wasm" key.zkey proof.json public.json
quietly snarkjs groth16 verify vkey_snarkjs.json public.json proof.json
# A key straight from the setup, with its sections in another order and no contribution.
quietly snarkjs zkey export verificationkey key_0.zkey vkey_0.json
baton_proves key_0.zkey witness.wtns vkey_0.json
echo "circomlib on $curve: proofs in both directions"
