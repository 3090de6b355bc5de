pragma circom 2.1.0;

include "membership.circom";

component main {public [root, context]} = Membership(1);
