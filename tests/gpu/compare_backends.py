#!/usr/bin/env python3
"""Compares the proofs of the CUDA and the CPU prover byte for byte, with r and s fixed.

  compare_backends.py BATON DIRECTORY [--jobs N]

For every folder below DIRECTORY that holds key.zkey and witness.wtns, with and, where there is a circuit.r1cs,
without it: `baton prove` on both backends, the same proof.json and public.json, and `baton verify` where there is a
vkey.json. Exit status 0 when all agree.
"""
import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

BLINDING = "1234567890123456789012345678901234567890,9876543210987654321098765432109876543210"


def prove(baton, folder, r1cs, backend, out):
    proof, public = out / f"{backend}.proof.json", out / f"{backend}.public.json"
    command = [baton, "prove", "--private", "--quiet", "--backend", backend, "--insecure-fixed-blinding", BLINDING,
               folder / "key.zkey", folder / "witness.wtns", proof, public]
    run = subprocess.run(command + (["--r1cs", r1cs] if r1cs else []), capture_output=True, text=True, timeout=120)
    if run.returncode != 0:
        raise RuntimeError(f"{backend}: exit {run.returncode}: {run.stderr.strip()}")
    return proof, public


def compare(baton, folder, r1cs):
    """None, or what differs."""
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name)
        try:
            cuda, cpu = (prove(baton, folder, r1cs, backend, out) for backend in ("cuda", "cpu"))
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            return str(error)
        for one, other in zip(cuda, cpu):
            if one.read_bytes() != other.read_bytes():
                return f"{one.name} differs from {other.name}"
        vkey = folder / "vkey.json"
        if vkey.exists():
            verify = subprocess.run([baton, "verify", vkey, cuda[1], cuda[0]], capture_output=True, text=True)
            if verify.returncode != 0:
                return f"the proof does not verify: {verify.stdout}{verify.stderr}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("baton")
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=4)
    arguments = parser.parse_args()
    cases = []
    for key in sorted(arguments.directory.rglob("key.zkey")):
        cases.append((key.parent, None))
        if (key.parent / "circuit.r1cs").exists():
            cases.append((key.parent, key.parent / "circuit.r1cs"))
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda case: compare(arguments.baton, *case), cases)
        for (folder, r1cs), wrong in zip(cases, results):
            if wrong:
                bad += 1
                print(f"FAIL {folder.relative_to(arguments.directory)}{' --r1cs' if r1cs else ''}: {wrong}")
    print(f"{len(cases) - bad} of {len(cases)} agree byte for byte")
    return 1 if bad or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
