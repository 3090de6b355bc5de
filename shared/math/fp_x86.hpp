#pragma once

// Without optimisation the operands do not fit the registers.
#if defined(__x86_64__) && defined(__BMI2__) && defined(__ADX__) && defined(__OPTIMIZE__)
#define BATON_X86_FIELD 1

#include <cstddef>
#include <cstdint>

#include "shared/math/big_int.hpp"
#include "shared/math/fp_constants.hpp"

// The steps of one Montgomery product over the accumulator t0.. and its top word. `lo` and `hi` are scratch;
// the multiplier of MULX is rdx. ADOX gathers the low halves and ADCX the high ones, so that the two carry
// chains run beside each other. Compilers do not produce this from C++.

#define BATON_FIRST(high, j) "mulxq %[a" #j "], %[lo], %[" high "]\n\t"
#define BATON_CARRY(j) "adcq %[lo], %[t" #j "]\n\t"
/// (t, next word) += a_j * b_i
#define BATON_ROW(j, next) \
  "mulxq %[a" #j "], %[lo], %[hi]\n\tadoxq %[lo], %[t" #j "]\n\tadcxq %[hi], %[t" #next "]\n\t"
/// t = (t + m * p) / 2^64, one word
#define BATON_FOLD(j, previous)                                                                              \
  "adcxq %[t" #j "], %[t" #previous "]\n\tmulxq %[p" #j "], %[lo], %[t" #j "]\n\tadoxq %[lo], %[t" #previous \
  "]\n\t"
#define BATON_ROW_BEGIN(i) "movq %[b" #i "], %%rdx\n\txorl %k[lo], %k[lo]\n\t"
#define BATON_ROW_END(last)                                      \
  "mulxq %[a" #last "], %[lo], %[top]\n\tadoxq %[lo], %[t" #last \
  "]\n\tmovl $0, %k[lo]\n\t"                                     \
  "adcxq %[lo], %[top]\n\tadoxq %[lo], %[top]\n\t"
#define BATON_FOLD_BEGIN                                                                             \
  "movq %[inv], %%rdx\n\timulq %[t0], %%rdx\n\txorl %k[lo], %k[lo]\n\tmulxq %[p0], %[lo], %[hi]\n\t" \
  "adcxq %[t0], %[lo]\n\tmovq %[hi], %[t0]\n\t"
#define BATON_FOLD_END(last) \
  "movl $0, %k[lo]\n\tadcxq %[lo], %[t" #last "]\n\tadoxq %[top], %[t" #last "]\n\t"

#define BATON_FIRST_ROW_4                                                                        \
  "movq %[b0], %%rdx\n\tmulxq %[a0], %[t0], %[t1]\n\t" BATON_FIRST(                              \
      "t2", 1) "addq %[lo], %[t1]\n\t" BATON_FIRST("t3", 2) BATON_CARRY(2) BATON_FIRST("top", 3) \
      BATON_CARRY(3) "adcq $0, %[top]\n\t"
#define BATON_ROW_4(i) BATON_ROW_BEGIN(i) BATON_ROW(0, 1) BATON_ROW(1, 2) BATON_ROW(2, 3) BATON_ROW_END(3)
#define BATON_FOLD_4 BATON_FOLD_BEGIN BATON_FOLD(1, 0) BATON_FOLD(2, 1) BATON_FOLD(3, 2) BATON_FOLD_END(3)

#define BATON_FIRST_ROW_6                                                                       \
  "movq %[b0], %%rdx\n\tmulxq %[a0], %[t0], %[t1]\n\t" BATON_FIRST(                             \
      "t2", 1) "addq %[lo], %[t1]\n\t" BATON_FIRST("t3", 2) BATON_CARRY(2) BATON_FIRST("t4", 3) \
      BATON_CARRY(3) BATON_FIRST("t5", 4) BATON_CARRY(4) BATON_FIRST("top", 5)                  \
          BATON_CARRY(5) "adcq $0, %[top]\n\t"
#define BATON_ROW_6(i) \
  BATON_ROW_BEGIN(i)   \
  BATON_ROW(0, 1) BATON_ROW(1, 2) BATON_ROW(2, 3) BATON_ROW(3, 4) BATON_ROW(4, 5) BATON_ROW_END(5)
#define BATON_FOLD_6                                                                                    \
  BATON_FOLD_BEGIN BATON_FOLD(1, 0) BATON_FOLD(2, 1) BATON_FOLD(3, 2) BATON_FOLD(4, 3) BATON_FOLD(5, 4) \
      BATON_FOLD_END(5)

#define BATON_IN_4(x, constraint)                                                              \
  [x##0] constraint(x.limbs[0]), [x##1] constraint(x.limbs[1]), [x##2] constraint(x.limbs[2]), \
      [x##3] constraint(x.limbs[3])
#define BATON_IN_6(x, constraint) \
  BATON_IN_4(x, constraint), [x##4] constraint(x.limbs[4]), [x##5] constraint(x.limbs[5])

/// Field arithmetic for x86-64 with MULX, ADCX and ADOX; same contract as fp_portable.hpp.
namespace baton::x86 {

/// value - p if value >= p; branch-free.
template <class Params>
inline BigInt<4> reduce_once(const BigInt<4>& value) {
  const BigInt<4>& p = FpConstants<Params>::kModulus;
  BigInt<4> t = value;
  BigInt<4> s = value;
  asm("subq %[p0], %[s0]\n\tsbbq %[p1], %[s1]\n\tsbbq %[p2], %[s2]\n\tsbbq %[p3], %[s3]\n\t"
      "cmovncq %[s0], %[t0]\n\tcmovncq %[s1], %[t1]\n\tcmovncq %[s2], %[t2]\n\tcmovncq %[s3], %[t3]"
      : BATON_IN_4(t, "+&r"), BATON_IN_4(s, "+&r")
      : BATON_IN_4(p, "m")
      : "cc");
  return t;
}

template <class Params>
inline BigInt<6> reduce_once(const BigInt<6>& value) {
  const BigInt<6>& p = FpConstants<Params>::kModulus;
  BigInt<6> t = value;
  BigInt<6> s = value;
  asm("subq %[p0], %[s0]\n\tsbbq %[p1], %[s1]\n\tsbbq %[p2], %[s2]\n\tsbbq %[p3], %[s3]\n\t"
      "sbbq %[p4], %[s4]\n\tsbbq %[p5], %[s5]\n\t"
      "cmovncq %[s0], %[t0]\n\tcmovncq %[s1], %[t1]\n\tcmovncq %[s2], %[t2]\n\tcmovncq %[s3], %[t3]\n\t"
      "cmovncq %[s4], %[t4]\n\tcmovncq %[s5], %[t5]"
      : BATON_IN_6(t, "+&r"), BATON_IN_6(s, "+&r")
      : BATON_IN_6(p, "m")
      : "cc");
  return t;
}

template <class Params>
inline BigInt<4> mul(const BigInt<4>& a, const BigInt<4>& b) {
  const BigInt<4>& p = FpConstants<Params>::kModulus;
  BigInt<4> t;
  std::uint64_t lo;
  std::uint64_t hi;
  std::uint64_t top;
  asm(BATON_FIRST_ROW_4 BATON_FOLD_4 BATON_ROW_4(1) BATON_FOLD_4 BATON_ROW_4(2) BATON_FOLD_4 BATON_ROW_4(3)
          BATON_FOLD_4
      // t - p if that does not borrow
      "movq %[t0], %[lo]\n\tmovq %[t1], %[hi]\n\tmovq %[t2], %[top]\n\tmovq %[t3], %%rdx\n\t"
      "subq %[p0], %[lo]\n\tsbbq %[p1], %[hi]\n\tsbbq %[p2], %[top]\n\tsbbq %[p3], %%rdx\n\t"
      "cmovncq %[lo], %[t0]\n\tcmovncq %[hi], %[t1]\n\tcmovncq %[top], %[t2]\n\tcmovncq %%rdx, %[t3]"
      : BATON_IN_4(t, "=&r"), [lo] "=&r"(lo), [hi] "=&r"(hi), [top] "=&r"(top)
      : BATON_IN_4(a, "r"), BATON_IN_4(b, "m"),
        BATON_IN_4(p, "m"), [inv] "m"(FpConstants<Params>::kNegativeInverse)
      : "rdx", "cc");
  return t;
}

template <class Params>
inline BigInt<6> mul(const BigInt<6>& a, const BigInt<6>& b) {
  const BigInt<6>& p = FpConstants<Params>::kModulus;
  BigInt<6> t;
  std::uint64_t lo;
  std::uint64_t hi;
  std::uint64_t top;
  asm(BATON_FIRST_ROW_6 BATON_FOLD_6 BATON_ROW_6(1) BATON_FOLD_6 BATON_ROW_6(2) BATON_FOLD_6 BATON_ROW_6(3)
          BATON_FOLD_6 BATON_ROW_6(4) BATON_FOLD_6 BATON_ROW_6(5) BATON_FOLD_6
      : BATON_IN_6(t, "=&r"), [lo] "=&r"(lo), [hi] "=&r"(hi), [top] "=&r"(top)
      : BATON_IN_6(a, "m"), BATON_IN_6(b, "m"),
        BATON_IN_6(p, "m"), [inv] "m"(FpConstants<Params>::kNegativeInverse)
      : "rdx", "cc");
  return reduce_once<Params>(t);
}

template <class Params>
inline BigInt<4> add(const BigInt<4>& a, const BigInt<4>& b) {
  BigInt<4> t = a;
  asm("addq %[b0], %[t0]\n\tadcq %[b1], %[t1]\n\tadcq %[b2], %[t2]\n\tadcq %[b3], %[t3]"
      : BATON_IN_4(t, "+&r")
      : BATON_IN_4(b, "rm")
      : "cc");
  return reduce_once<Params>(t);
}

template <class Params>
inline BigInt<6> add(const BigInt<6>& a, const BigInt<6>& b) {
  BigInt<6> t = a;
  asm("addq %[b0], %[t0]\n\tadcq %[b1], %[t1]\n\tadcq %[b2], %[t2]\n\tadcq %[b3], %[t3]\n\t"
      "adcq %[b4], %[t4]\n\tadcq %[b5], %[t5]"
      : BATON_IN_6(t, "+&r")
      : BATON_IN_6(b, "rm")
      : "cc");
  return reduce_once<Params>(t);
}

/// a - b, plus p if that borrows; branch-free.
template <class Params>
inline BigInt<4> sub(const BigInt<4>& a, const BigInt<4>& b) {
  const BigInt<4>& p = FpConstants<Params>::kModulus;
  BigInt<4> t = a;
  BigInt<4> s;
  asm("xorl %k[s0], %k[s0]\n\txorl %k[s1], %k[s1]\n\txorl %k[s2], %k[s2]\n\txorl %k[s3], %k[s3]\n\t"
      "subq %[b0], %[t0]\n\tsbbq %[b1], %[t1]\n\tsbbq %[b2], %[t2]\n\tsbbq %[b3], %[t3]\n\t"
      "cmovcq %[p0], %[s0]\n\tcmovcq %[p1], %[s1]\n\tcmovcq %[p2], %[s2]\n\tcmovcq %[p3], %[s3]\n\t"
      "addq %[s0], %[t0]\n\tadcq %[s1], %[t1]\n\tadcq %[s2], %[t2]\n\tadcq %[s3], %[t3]"
      : BATON_IN_4(t, "+&r"), BATON_IN_4(s, "=&r")
      : BATON_IN_4(b, "rm"), BATON_IN_4(p, "m")
      : "cc");
  return t;
}

template <class Params>
inline BigInt<6> sub(const BigInt<6>& a, const BigInt<6>& b) {
  const BigInt<6>& p = FpConstants<Params>::kModulus;
  BigInt<6> t = a;
  BigInt<6> s;
  asm("subq %[b0], %[t0]\n\tsbbq %[b1], %[t1]\n\tsbbq %[b2], %[t2]\n\tsbbq %[b3], %[t3]\n\t"
      "sbbq %[b4], %[t4]\n\tsbbq %[b5], %[t5]\n\tsbbq %[s0], %[s0]\n\t"
      "movq %[s0], %[s1]\n\tmovq %[s0], %[s2]\n\tmovq %[s0], %[s3]\n\tmovq %[s0], %[s4]\n\t"
      "movq %[s0], %[s5]\n\tandq %[p0], %[s0]\n\tandq %[p1], %[s1]\n\tandq %[p2], %[s2]\n\t"
      "andq %[p3], %[s3]\n\tandq %[p4], %[s4]\n\tandq %[p5], %[s5]\n\t"
      "addq %[s0], %[t0]\n\tadcq %[s1], %[t1]\n\tadcq %[s2], %[t2]\n\tadcq %[s3], %[t3]\n\t"
      "adcq %[s4], %[t4]\n\tadcq %[s5], %[t5]"
      : BATON_IN_6(t, "+&r"), BATON_IN_6(s, "=&r")
      : BATON_IN_6(b, "m"), BATON_IN_6(p, "m")
      : "cc");
  return t;
}

}  // namespace baton::x86

#undef BATON_FIRST
#undef BATON_CARRY
#undef BATON_ROW
#undef BATON_FOLD
#undef BATON_ROW_BEGIN
#undef BATON_ROW_END
#undef BATON_FOLD_BEGIN
#undef BATON_FOLD_END
#undef BATON_FIRST_ROW_4
#undef BATON_ROW_4
#undef BATON_FOLD_4
#undef BATON_FIRST_ROW_6
#undef BATON_ROW_6
#undef BATON_FOLD_6
#undef BATON_IN_4
#undef BATON_IN_6
#endif
