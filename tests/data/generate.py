#!/usr/bin/env python3
"""Writes the generated sources of the kept circuits: round constants and inputs.

    generate.py constants > circuits/mimc5_constants.circom
    generate.py input bn128|bls12381 DEPTH > input.json

Constants and secrets are digests of fixed texts, so every run writes the same bytes.
"""
import hashlib
import json
import sys

ROUNDS = 110
PRIMES = {
    "bn128": 21888242871839275222246405745257275088548364400416034343698204186575808495617,
    "bls12381": 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001,
}


def element(text):
    """248 bits of the digest of a text: below both primes."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:31], "big")


def round_constant(index):
    return 0 if index == 0 else element(f"baton mimc5 round {index}")


def compress(left, right, prime):
    x = left
    for index in range(ROUNDS):
        x = pow(x + right + round_constant(index), 5, prime)
    return (x + right + left + right) % prime


def print_constants():
    print("pragma circom 2.1.0;\n")
    print("// Written by generate.py: 248 bits of sha256(\"baton mimc5 round INDEX\"), the first one zero.")
    print("function mimc5_constant(index) {")
    print(f"    var constants[{ROUNDS}] = [")
    print(",\n".join(f"        {round_constant(index)}" for index in range(ROUNDS)))
    print("    ];\n    return constants[index];\n}")


def membership_input(prime, depth):
    secret, blinding = element("baton secret"), element("baton blinding")
    bits = [(0x2A6D35 >> level) & 1 for level in range(depth)]
    siblings = [element(f"baton sibling {level}") for level in range(depth)]
    node = compress(secret, blinding, prime)
    for bit, sibling in zip(bits, siblings):
        node = compress(sibling, node, prime) if bit else compress(node, sibling, prime)
    return {
        "root": str(node),
        "context": str(element("baton context")),
        "secret": str(secret),
        "blinding": str(blinding),
        "path_bits": bits,
        "path_siblings": [str(sibling) for sibling in siblings],
    }


def main():
    if sys.argv[1:] == ["constants"]:
        print_constants()
    elif len(sys.argv) == 4 and sys.argv[1] == "input" and sys.argv[2] in PRIMES:
        print(json.dumps(membership_input(PRIMES[sys.argv[2]], int(sys.argv[3])), indent=1))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
