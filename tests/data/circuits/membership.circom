pragma circom 2.1.0;

include "mimc5.circom";

// Orders a node and its sibling: (node, sibling) when bit is 0, else (sibling, node).
template OrderedPair() {
    signal input bit;
    signal input node;
    signal input sibling;
    signal output left;
    signal output right;

    bit * (1 - bit) === 0;
    left <== node + bit * (sibling - node);
    right <== node + sibling - left;
}

// Shows that the commitment to a secret is a leaf of the Merkle tree with the public `root`, and publishes a
// nullifier that is the same for every proof about one secret. `context` is bound to the proof and free to choose.
template Membership(depth) {
    signal input root;
    signal input context;
    signal input secret;
    signal input blinding;
    signal input path_bits[depth];
    signal input path_siblings[depth];
    signal output nullifier;

    component commitment = Mimc5Compress();
    commitment.left <== secret;
    commitment.right <== blinding;

    component pairs[depth];
    component nodes[depth];
    for (var level = 0; level < depth; level++) {
        pairs[level] = OrderedPair();
        pairs[level].bit <== path_bits[level];
        pairs[level].node <== level == 0 ? commitment.out : nodes[level - 1].out;
        pairs[level].sibling <== path_siblings[level];
        nodes[level] = Mimc5Compress();
        nodes[level].left <== pairs[level].left;
        nodes[level].right <== pairs[level].right;
    }
    root === nodes[depth - 1].out;

    component nullify = Mimc5Compress();
    nullify.left <== secret;
    nullify.right <== context;
    nullifier <== nullify.out;
}
