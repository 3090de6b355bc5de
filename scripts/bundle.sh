#!/usr/bin/env bash
# Makes a relocatable folder of Baton's programs: bundle.sh BUILD_DIRECTORY OUTPUT_DIRECTORY [PROGRAM...]
#
# OUTPUT/bin holds the programs, OUTPUT/lib every shared library they need except those of glibc and of the
# NVIDIA driver; programs look there first (cmake/options.cmake). The folder runs wherever it is copied to, on
# any x86-64 Linux with glibc 2.36 or newer; a GPU needs the driver only, the CUDA runtime is linked in. Works
# for builds without CUDA too. Without PROGRAM: baton and its processes, as far as they were built.
set -euo pipefail

if [ $# -lt 2 ]; then
  echo "usage: bundle.sh BUILD_DIRECTORY OUTPUT_DIRECTORY [PROGRAM...]" >&2
  exit 64
fi
build=$1
output=$2
shift 2
if [ $# -eq 0 ]; then
  set -- baton baton-coordinator baton-synth-worker baton-gpu-worker baton-gateway
  optional=1
else
  optional=0
fi
# Libraries that come with glibc or with the driver, never copied.
belongs_to_the_system='^(ld-linux-x86-64|libc|libm|libdl|libpthread|librt|libresolv|libutil|libanl|libnsl|libnss_[a-z]+|libcuda|libnvidia-[a-z-]+)\.so'

mkdir -p "$output/bin" "$output/lib"
copied=0
for program in "$@"; do
  if [ ! -x "$build/bin/$program" ]; then
    if [ "$optional" = 1 ]; then
      continue
    fi
    echo "bundle.sh: $build/bin/$program does not exist" >&2
    exit 1
  fi
  install -m 755 "$build/bin/$program" "$output/bin/$program"
  copied=$((copied + 1))
  missing=$(ldd "$build/bin/$program" | awk '/not found/ { print $1 }')
  if [ -n "$missing" ]; then
    echo "bundle.sh: $program needs $missing, which is not on this machine" >&2
    exit 1
  fi
  ldd "$build/bin/$program" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | while read -r library; do
    name=$(basename "$library")
    if [[ ! $name =~ $belongs_to_the_system && ! -e "$output/lib/$name" ]]; then
      install -m 644 "$(readlink -f "$library")" "$output/lib/$name"
    fi
  done
done
if [ "$copied" = 0 ]; then
  echo "bundle.sh: no program in $build/bin" >&2
  exit 1
fi

# Nothing may come from elsewhere, as seen from the folder itself.
for program in "$output"/bin/*; do
  foreign=$(ldd "$program" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | while read -r library; do
    name=$(basename "$library")
    if [[ ! $name =~ $belongs_to_the_system && $(realpath "$library") != "$(realpath "$output")"/lib/* ]]; then
      echo "$library"
    fi
  done)
  if [ -n "$foreign" ]; then
    echo "bundle.sh: $program would still load" $foreign >&2
    exit 1
  fi
done
echo "$output: $copied programs, $(find "$output/lib" -type f | wc -l) libraries, $(du -sh "$output" | cut -f1)"
