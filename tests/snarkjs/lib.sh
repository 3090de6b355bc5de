# Helpers of the cross-checks; sourced. BATON and BATON_FIXTURE name the programs under test.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tools=$here/node_modules/.bin
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

die() {
  echo "FAILED: $*" >&2
  exit 1
}

[ -x "$tools/snarkjs" ] || die "the JavaScript tools are missing: scripts/setup.sh --npm"

# Runs a command; shows its output only when it fails.
quietly() {
  local code=0
  "$@" > "$scratch/log" 2>&1 || code=$?
  [ "$code" = 0 ] || {
    cat "$scratch/log" >&2
    die "exit code $code of: $*"
  }
}

snarkjs() { "$tools/snarkjs" "$@"; }
# Include folders must lie below the current one.
circom() { (cd "$here" && "$tools/circom2" "$@" -l node_modules); }

# expect_exit CODE COMMAND...
expect_exit() {
  local wanted=$1 code=0
  shift
  "$@" > "$scratch/log" 2>&1 || code=$?
  [ "$code" = "$wanted" ] || {
    cat "$scratch/log" >&2
    die "exit code $code instead of $wanted: $*"
  }
}

# Proves with Baton, lets snarkjs judge. baton_proves KEY WITNESS VKEY [OPTION...]
baton_proves() {
  local key=$1 witness=$2 vkey=$3
  shift 3
  quietly "$BATON" prove "$@" "$key" "$witness" "$scratch/proof.json" "$scratch/public.json"
  quietly snarkjs groth16 verify "$vkey" "$scratch/public.json" "$scratch/proof.json"
  quietly "$BATON" verify "$vkey" "$scratch/public.json" "$scratch/proof.json"
}

# Baton accepts snarkjs' proof, and refuses it with another public value.
# baton_verifies VKEY PUBLIC PROOF
baton_verifies() {
  expect_exit 0 "$BATON" verify "$1" "$2" "$3"
  sed -E '0,/"[0-9]+"/s//"7"/' "$2" > "$scratch/changed.json"
  expect_exit 1 "$BATON" verify "$1" "$scratch/changed.json" "$3"
}

# The verification key that Baton reads from KEY has the bytes that snarkjs exports.
same_vkey() {
  quietly "$BATON" vkey "$1" "$scratch/vkey.json"
  cmp "$scratch/vkey.json" "$2" || die "baton vkey differs from snarkjs' export of $1"
}
