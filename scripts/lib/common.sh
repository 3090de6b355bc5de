# Helpers of the scripts in this folder; sourced, never run.

fail() {
  echo "${0##*/}: $*" >&2
  exit 1
}

# The CUDA compiler's path, or nothing.
find_nvcc() {
  command -v nvcc && return
  if [ -x /usr/local/cuda/bin/nvcc ]; then
    echo /usr/local/cuda/bin/nvcc
  fi
}

have_gpu() {
  [ -e /dev/nvidia0 ] || { command -v nvidia-smi > /dev/null && nvidia-smi -L > /dev/null 2>&1; }
}

# Clones of the project in other folders share what ccache keeps.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1

# Builds of this many jobs at once: one per core, but no more than one per 1.5 GB of memory.
build_jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ {print int($2 / 1572864)}' /proc/meminfo)
  echo $((memory < 1 ? 1 : memory < cores ? memory : cores))
}

# configure_and_build PRESET [TARGET...]: quiet unless it fails.
configure_and_build() {
  local preset=$1 log
  shift
  mkdir -p build
  log="build/$preset.log"
  if ! { cmake --preset "$preset" && cmake --build --preset "$preset" -j "$(build_jobs)" ${1:+--target "$@"}; } \
    > "$log" 2>&1; then
    tail -n 60 "$log" >&2
    fail "the $preset build failed; all of its output is in $log"
  fi
}
