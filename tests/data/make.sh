#!/usr/bin/env bash
# Makes the kept circuits again: constants, inputs, compiled circuit, witness, and a proving key from a throw-away
# ceremony (its secrets are known to whoever ran this: for tests only). Needs `npm ci` in tests/snarkjs.
# Keys differ in every run, so run it only when a circuit changes, and commit what it writes.
set -euo pipefail
cd "$(dirname "$0")"
export PATH="$PWD/../snarkjs/node_modules/.bin:$PATH"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

quietly() { "$@" > "$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }; }

# make FOLDER MAIN CURVE DEPTH POWER
make() {
  local folder=$1 main=$2 curve=$3 depth=$4 power=$5
  local out="$scratch/$folder"
  mkdir -p "$out" "$folder"
  echo "$folder: $main.circom on $curve"
  ./generate.py input "$curve" "$depth" > "$folder/input.json"
  (cd circuits && quietly circom2 "$main.circom" --r1cs --wasm --O2 --prime "$curve" --output "$out")
  cp "$out/$main.r1cs" "$folder/circuit.r1cs"
  cp "$out/${main}_js/$main.wasm" "$folder/circuit.wasm"
  quietly snarkjs wtns calculate "$folder/circuit.wasm" "$folder/input.json" "$folder/witness.wtns"
  quietly snarkjs wtns check "$folder/circuit.r1cs" "$folder/witness.wtns"
  quietly snarkjs powersoftau new "$curve" "$power" "$out/pot_0.ptau"
  quietly snarkjs powersoftau contribute "$out/pot_0.ptau" "$out/pot_1.ptau" -e="throw-away $RANDOM" --name=test
  quietly snarkjs powersoftau prepare phase2 "$out/pot_1.ptau" "$out/pot.ptau"
  quietly snarkjs groth16 setup "$folder/circuit.r1cs" "$out/pot.ptau" "$out/key_0.zkey"
  quietly snarkjs zkey contribute "$out/key_0.zkey" "$folder/key.zkey" -e="throw-away $RANDOM" --name=test
  quietly snarkjs zkey export verificationkey "$folder/key.zkey" "$folder/verification_key.json"
  quietly snarkjs groth16 prove "$folder/key.zkey" "$folder/witness.wtns" "$folder/snarkjs_proof.json" "$folder/public.json"
  quietly snarkjs groth16 verify "$folder/verification_key.json" "$folder/public.json" "$folder/snarkjs_proof.json"
}

./generate.py constants > circuits/mimc5_constants.circom
make membership membership_22 bn128 22 13
make membership_bls12381 membership_1 bls12381 1 10
du -sh membership membership_bls12381
