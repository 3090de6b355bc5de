pragma circom 2.1.0;

include "mimc5_constants.circom";

// One round: out = (x + key + constant)^5. Three constraints.
template Mimc5Round(constant) {
    signal input x;
    signal input key;
    signal output out;

    signal square;
    signal fourth;
    square <== (x + key + constant) * (x + key + constant);
    fourth <== square * square;
    out <== fourth * (x + key + constant);
}

// Compresses two field elements into one: the keyed permutation x -> x^5 over 110 rounds (5^110 > 2^255) in
// Miyaguchi-Preneel mode, out = E_right(left) + left + right. 330 constraints.
template Mimc5Compress() {
    signal input left;
    signal input right;
    signal output out;

    component rounds[110];
    for (var i = 0; i < 110; i++) {
        rounds[i] = Mimc5Round(mimc5_constant(i));
        rounds[i].x <== i == 0 ? left : rounds[i - 1].out;
        rounds[i].key <== right;
    }
    out <== rounds[109].out + right + left + right;
}
