#!/usr/bin/env python3
"""Fails when a file includes what its layer may not use.

Reads every C++ and CUDA source under version control or about to be, and checks each #include against two tables:
which folder may use which folder, and in which files a third-party header may appear.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUFFIXES = {".hpp", ".cpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')

# Layer -> the layers that it may include, besides itself. A layer is a folder; the longest match counts.
MATH = ["shared/math", "shared/support"]
BASE = [*MATH, "shared/formats", "shared/groth16"]
WIRE = [*MATH, "shared/contract", "shared/segments", "shared/transport", "shared/worker"]
LAYERS = {
    "shared/support": [],
    "shared/config": ["shared/support"],
    "shared/math": ["cuda/field"],
    "shared/formats": MATH,
    "shared/groth16": [*MATH, "shared/formats"],
    "shared/contract": MATH,
    "shared/segments": [*MATH, "shared/contract"],
    "shared/transport": [*MATH, "shared/contract"],
    "shared/worker": WIRE,
    "cuda/field": ["shared/math"],
    "cuda": [*BASE, "cuda/field"],
    "synth-worker": [*BASE, *WIRE, "shared/config"],
    "gpu-worker": [*BASE, *WIRE, "cuda", "shared/config"],
    "coordinator": [*BASE, *WIRE, "shared/config"],
    "client": [*BASE, *WIRE, "shared/config"],
}

# First path component or whole name of a third-party header -> the files, as globs, that may include it.
THIRD_PARTY = {
    "boost/interprocess": ["shared/segments/*"],
    "boost": ["shared/segments/*", "client/gateway/*"],
    "zmq.hpp": ["shared/transport/*"],
    "zmq.h": ["shared/transport/*"],
    "zmq_addon.hpp": ["shared/transport/*"],
    "google/protobuf": ["shared/contract/*"],
    "spdlog": ["shared/support/log*"],
    "fmt": ["shared/support/log*"],
    "sqlite3.h": ["coordinator/*"],
    "tbb": ["shared/groth16/*", "shared/math/*", "shared/formats/*", "synth-worker/*"],
    "oneapi": ["shared/groth16/*", "shared/math/*", "shared/formats/*", "synth-worker/*"],
    "CLI": ["client/*", "*/options.cpp", "*_main.cpp", "*main.cpp"],
    "toml++": ["shared/config/toml_file.cpp"],
    "nlohmann": ["shared/formats/*", "client/*", "coordinator/*", "*_json.cpp"],
    "xxhash.h": ["shared/support/hash.cpp"],
    "cuda_runtime.h": ["cuda/*"],
    "cuda_runtime_api.h": ["cuda/*"],
    "cuda.h": ["cuda/*"],
    "cub": ["cuda/*"],
    "thrust": ["cuda/*"],
    "cuda": ["cuda/*", "shared/math/*"],
    "nvtx3": ["cuda/*"],
    "prometheus": ["client/gateway/*"],
    "gtest": ["tests/*"],
    "gmock": ["tests/*"],
    "benchmark": ["tests/*"],
}

# Headers of the language and of the system, which anybody may include.
SYSTEM = re.compile(r"^(sys/|linux/|arpa/|netinet/|asm/|bits/)|^[a-z0-9_]+(\.h)?$|^[a-z]*intrin\.h$")


def sources():
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    return sorted(name for name in set(listing)
                  if pathlib.PurePosixPath(name).suffix in SUFFIXES and (ROOT / name).is_file())


def layer_of(path):
    matches = [layer for layer in LAYERS if path.startswith(layer + "/")]
    return max(matches, key=len, default=None)


def third_party_of(header):
    matches = [name for name in THIRD_PARTY if header == name or header.startswith(name + "/")]
    return max(matches, key=len, default=None)


def own_problem(path, header):
    """Says what is wrong with including one of the project's own headers, or nothing."""
    generated = header.endswith(".pb.h") or (ROOT / f"{header}.in").is_file()
    if not generated and not (ROOT / header).is_file():
        return f"{header}: no such file (includes start at the repository root)"
    if path.startswith("tests/"):
        return None
    if header.startswith("tests/"):
        return f"{header}: product code may not use tests"
    here, there = layer_of(path), layer_of(header)
    if here is None:
        return f"{path} is in no known layer: add its folder to scripts/check_layers.py"
    if there != here and there not in LAYERS[here]:
        return f"{header}: {here} may not use {there}"
    return None


def third_party_problem(path, header):
    name = third_party_of(header)
    if name is None:
        return None if SYSTEM.search(header) else f"<{header}>: unknown third-party header"
    if path.startswith("tests/"):
        return None
    if any(pathlib.PurePosixPath(path).match(glob) or path.startswith(glob.rstrip("*")) and glob.endswith("/*")
           for glob in THIRD_PARTY[name]):
        return None
    return f"<{header}>: allowed only in {', '.join(THIRD_PARTY[name]) or 'no file'}"


def problems_of(path):
    for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").split("\n"), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        bracket, header = match.groups()
        problem = own_problem(path, header) if bracket == '"' else third_party_problem(path, header)
        if problem:
            yield f"{path}:{number}: {problem}"


def main():
    files = sources()
    problems = [problem for path in files for problem in problems_of(path)]
    print("\n".join(problems), file=sys.stderr, end="\n" if problems else "")
    print(f"layers: {len(files)} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
