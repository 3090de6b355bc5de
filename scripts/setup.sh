#!/usr/bin/env bash
# Installs what Baton needs to build and to be tested, and only what is missing: packages of the distribution (with
# sudo where the user is not root) and, with --npm, the JavaScript tools of the cross-checks.
#
#   scripts/setup.sh [--build-only] [--npm] [--dry-run]
#
#   --build-only  leave out what only tests and checks need
#   --npm         also install the tools of tests/snarkjs when they are not there
#   --dry-run     say what would be done, do nothing
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lib/common.sh

build_only=false npm=false dry_run=false
for argument in "$@"; do
  case "$argument" in
    --build-only) build_only=true ;;
    --npm) npm=true ;;
    --dry-run) dry_run=true ;;
    -h | --help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) fail "unknown option $argument; see scripts/setup.sh --help" ;;
  esac
done

# Ubuntu 24.04 has the same names.
build_packages=(
  g++ cmake ninja-build ccache pkg-config git
  libboost-dev libzmq3-dev cppzmq-dev libspdlog-dev libprotobuf-dev protobuf-compiler
  libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libsqlite3-dev libtbb-dev libxxhash-dev
  libgtest-dev libgmock-dev libbenchmark-dev
)
test_packages=(
  python3 sqlite3 supervisor spin procps util-linux
  clang-14 clang-format-14 clang-tidy-14 libclang-rt-14-dev
)

say_system() {
  local id="unknown" version=""
  if [ -r /etc/os-release ]; then
    id=$(. /etc/os-release && echo "$ID")
    version=$(. /etc/os-release && echo "${VERSION_ID:-}")
  fi
  case "$id $version" in
    "debian 12") ;;
    "ubuntu 24.04") echo "setup: Ubuntu 24.04 has packages of the same names, but Baton is untested there" ;;
    *) echo "setup: $id $version is neither Debian 12 nor Ubuntu 24.04; going on with the package names of Debian 12" ;;
  esac
  command -v apt-get > /dev/null || fail "this system has no apt-get: install these by hand: ${build_packages[*]} ${test_packages[*]}"
}

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2> /dev/null)" = installed ]
}

# Prints the missing ones of the given packages.
missing_packages() {
  local package
  for package in "$@"; do
    is_installed "$package" || echo "$package"
  done
  # Node.js comes from many places; what counts is that the two commands are there.
  if ! $build_only && ! command -v node > /dev/null; then echo nodejs; fi
  if ! $build_only && ! command -v npm > /dev/null; then echo npm; fi
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo > /dev/null; then
    sudo "$@"
  else
    fail "needs root and there is no sudo; run as root: $*"
  fi
}

install_packages() {
  local wanted=("${build_packages[@]}") missing
  $build_only || wanted+=("${test_packages[@]}")
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  if [ ${#missing[@]} = 0 ]; then
    echo "setup: every package is installed"
    return
  fi
  echo "setup: apt-get install ${missing[*]}"
  $dry_run && return
  as_root apt-get -q update > /dev/null || fail "apt-get update failed"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "${missing[@]}" \
    > /dev/null || fail "apt-get install failed"
}

install_npm_tools() {
  local folder=tests/snarkjs
  if [ "$folder/node_modules/.package-lock.json" -nt "$folder/package-lock.json" ]; then
    echo "setup: the JavaScript tools of $folder are installed"
    return
  fi
  echo "setup: npm ci in $folder"
  $dry_run && return
  (cd "$folder" && npm ci --silent --no-fund --no-audit) || fail "npm ci failed in $folder"
  touch "$folder/node_modules/.package-lock.json"
}

say_system
install_packages
if $npm; then
  install_npm_tools
fi
if [ -z "$(find_nvcc)" ]; then
  echo "setup: no nvcc found, so no CUDA prover will be built (install NVIDIA's CUDA Toolkit 12 or 13 for it)"
fi
