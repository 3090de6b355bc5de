pragma circom 2.1.0;

include "circomlib/circuits/bitify.circom";
include "circomlib/circuits/comparators.circom";
include "circomlib/circuits/poseidon.circom";

// Hashes, bits and comparisons of circomlib: linear combinations of many terms, boolean wires, an output that is
// zero or one, and a private input that no constraint names.
template CircomlibMix() {
    signal input limit;
    signal input values[3];
    signal input unused;
    signal output digest;
    signal output below;

    component hash = Poseidon(3);
    component bits = Num2Bits(40);
    component compare = LessThan(40);
    for (var i = 0; i < 3; i++) {
        hash.inputs[i] <== values[i];
    }
    digest <== hash.out;
    bits.in <== values[0];
    compare.in[0] <== values[0];
    compare.in[1] <== limit;
    below <== compare.out;
}

component main {public [limit]} = CircomlibMix();
