#pragma once

// Without optimisation, or with a sanitizer's frame pointer, the operands do not fit the registers.
#if defined(__x86_64__) && defined(__BMI2__) && defined(__ADX__) && defined(__OPTIMIZE__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BATON_X86_FIELD 1

#include <cstddef>
#include <cstdint>

#include "shared/math/big_int.hpp"
#include "shared/math/fp_constants.hpp"

// The steps of one Montgomery product over the accumulator t0.. and its top word. Operands stand in memory;
// `lo` and `hi` are scratch; the multiplier of MULX is rdx. ADOX gathers the low halves and ADCX the high
// ones, so that the two carry chains run beside each other. Compilers do not produce this from C++.

#define BATON_LIMB(x, j) "8*" #j "(%[" #x "])"
#define BATON_MODULUS(j) "%[p" #j "]"
#define BATON_LOAD_MULTIPLIER(y, i) "movq " BATON_LIMB(y, i) ", %%rdx\n\t"
/// (high, t_j) = x_j * multiplier + t_j + carry, in the first row.
#define BATON_FIRST(x, j, high, add) \
  "mulxq " BATON_LIMB(x, j) ", %[lo], %[" #high "]\n\t" #add " %[lo], %[t" #j "]\n\t"
/// (next, t_j) += x_j * multiplier
#define BATON_STEP(x, j, next) \
  "mulxq " BATON_LIMB(x, j) ", %[lo], %[hi]\n\tadoxq %[lo], %[t" #j "]\n\tadcxq %[hi], %[" #next "]\n\t"
#define BATON_CLEAR_CARRIES "xorl %k[lo], %k[lo]\n\t"
/// The last step of a row opens a new top word.
#define BATON_LAST(x, j)                                             \
  "mulxq " BATON_LIMB(x, j) ", %[lo], %[top]\n\tadoxq %[lo], %[t" #j \
                            "]\n\tmovl $0, %k[lo]\n\t"               \
                            "adcxq %[lo], %[top]\n\tadoxq %[lo], %[top]\n\t"
/// The last step of a second row adds to the top word.
#define BATON_LAST_MORE(x, j) BATON_STEP(x, j, top) "movl $0, %k[lo]\n\tadoxq %[lo], %[top]\n\t"

/// t = (t + m * p) / 2^64 with m such that the division is exact.
#define BATON_FOLD_BEGIN                                             \
  "movq %[inv], %%rdx\n\timulq %[t0], %%rdx\n\t" BATON_CLEAR_CARRIES \
  "mulxq " BATON_MODULUS(0) ", %[lo], %[hi]\n\tadcxq %[t0], %[lo]\n\tmovq %[hi], %[t0]\n\t"
#define BATON_FOLD(j, previous)                                                      \
  "adcxq %[t" #j "], %[t" #previous "]\n\tmulxq " BATON_MODULUS(j) ", %[lo], %[t" #j \
                                                                   "]\n\tadoxq %[lo], %[t" #previous "]\n\t"
#define BATON_FOLD_END(last) \
  "movl $0, %k[lo]\n\tadcxq %[lo], %[t" #last "]\n\tadoxq %[top], %[t" #last "]\n\t"

#define BATON_FIRST_ROW_4(x, y)                                                                          \
  BATON_LOAD_MULTIPLIER(y, 0)                                                                            \
  "mulxq " BATON_LIMB(x, 0) ", %[t0], %[t1]\n\t" BATON_FIRST(x, 1, t2, addq) BATON_FIRST(x, 2, t3, adcq) \
      BATON_FIRST(x, 3, top, adcq) "adcq $0, %[top]\n\t"
#define BATON_ROW_4(x, y, i)  \
  BATON_LOAD_MULTIPLIER(y, i) \
  BATON_CLEAR_CARRIES BATON_STEP(x, 0, t1) BATON_STEP(x, 1, t2) BATON_STEP(x, 2, t3) BATON_LAST(x, 3)
#define BATON_MORE_4(x, y, i) \
  BATON_LOAD_MULTIPLIER(y, i) \
  BATON_CLEAR_CARRIES BATON_STEP(x, 0, t1) BATON_STEP(x, 1, t2) BATON_STEP(x, 2, t3) BATON_LAST_MORE(x, 3)
#define BATON_FOLD_4 BATON_FOLD_BEGIN BATON_FOLD(1, 0) BATON_FOLD(2, 1) BATON_FOLD(3, 2) BATON_FOLD_END(3)

#define BATON_FIRST_ROW_6(x, y)                                                                          \
  BATON_LOAD_MULTIPLIER(y, 0)                                                                            \
  "mulxq " BATON_LIMB(x, 0) ", %[t0], %[t1]\n\t" BATON_FIRST(x, 1, t2, addq) BATON_FIRST(x, 2, t3, adcq) \
      BATON_FIRST(x, 3, t4, adcq) BATON_FIRST(x, 4, t5, adcq)                                            \
          BATON_FIRST(x, 5, top, adcq) "adcq $0, %[top]\n\t"
#define BATON_ROW_6(x, y, i)                                                                              \
  BATON_LOAD_MULTIPLIER(y, i)                                                                             \
  BATON_CLEAR_CARRIES BATON_STEP(x, 0, t1) BATON_STEP(x, 1, t2) BATON_STEP(x, 2, t3) BATON_STEP(x, 3, t4) \
      BATON_STEP(x, 4, t5) BATON_LAST(x, 5)
#define BATON_MORE_6(x, y, i)                                                                             \
  BATON_LOAD_MULTIPLIER(y, i)                                                                             \
  BATON_CLEAR_CARRIES BATON_STEP(x, 0, t1) BATON_STEP(x, 1, t2) BATON_STEP(x, 2, t3) BATON_STEP(x, 3, t4) \
      BATON_STEP(x, 4, t5) BATON_LAST_MORE(x, 5)
#define BATON_FOLD_6                                                                                    \
  BATON_FOLD_BEGIN BATON_FOLD(1, 0) BATON_FOLD(2, 1) BATON_FOLD(3, 2) BATON_FOLD(4, 3) BATON_FOLD(5, 4) \
      BATON_FOLD_END(5)

#define BATON_WORDS_4(x, constraint)                                                           \
  [x##0] constraint(x.limbs[0]), [x##1] constraint(x.limbs[1]), [x##2] constraint(x.limbs[2]), \
      [x##3] constraint(x.limbs[3])
#define BATON_WORDS_6(x, constraint) \
  BATON_WORDS_4(x, constraint), [x##4] constraint(x.limbs[4]), [x##5] constraint(x.limbs[5])
#define BATON_OPERAND(x) [x] "r"(x.limbs), "m"(x)
#define BATON_INVERSE [inv] "m"(FpConstants<Params>::kNegativeInverse)

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
      : BATON_WORDS_4(t, "+&r"), BATON_WORDS_4(s, "+&r")
      : BATON_WORDS_4(p, "m")
      : "cc");
  return t;
}

template <class Params>
inline BigInt<6> reduce_once(const BigInt<6>& value) {
  const BigInt<6>& p = FpConstants<Params>::kModulus;
  BigInt<6> t = value;
  BigInt<6> s = value;
  asm("subq %[p0], %[s0]\n\tsbbq %[p1], %[s1]\n\tsbbq %[p2], %[s2]\n\tsbbq %[p3], %[s3]\n\tsbbq %[p4], "
      "%[s4]\n\tsbbq %[p5], %[s5]\n\t"
      "cmovncq %[s0], %[t0]\n\tcmovncq %[s1], %[t1]\n\tcmovncq %[s2], %[t2]\n\tcmovncq %[s3], "
      "%[t3]\n\tcmovncq %[s4], %[t4]\n\tcmovncq %[s5], %[t5]"
      : BATON_WORDS_6(t, "+&r"), BATON_WORDS_6(s, "+&r")
      : BATON_WORDS_6(p, "m")
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
  asm(BATON_FIRST_ROW_4(a, b) BATON_FOLD_4 BATON_ROW_4(a, b, 1) BATON_FOLD_4 BATON_ROW_4(a, b, 2) BATON_FOLD_4 BATON_ROW_4(a, b, 3) BATON_FOLD_4
      // t - p if that does not borrow
      "movq %[t0], %[lo]\n\tmovq %[t1], %[hi]\n\tmovq %[t2], %[top]\n\tmovq %[t3], %%rdx\n\t"
      "subq " BATON_MODULUS(0) ", %[lo]\n\tsbbq " BATON_MODULUS(1) ", %[hi]\n\t"
      "sbbq " BATON_MODULUS(2) ", %[top]\n\tsbbq " BATON_MODULUS(3) ", %%rdx\n\t"
      "cmovncq %[lo], %[t0]\n\tcmovncq %[hi], %[t1]\n\tcmovncq %[top], %[t2]\n\tcmovncq %%rdx, %[t3]"
      : BATON_WORDS_4(t, "=&r"), [lo] "=&r"(lo), [hi] "=&r"(hi), [top] "=&r"(top)
      : BATON_OPERAND(a), BATON_OPERAND(b), BATON_WORDS_4(p, "m"), BATON_INVERSE
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
  asm(BATON_FIRST_ROW_6(a, b) BATON_FOLD_6 BATON_ROW_6(a, b, 1) BATON_FOLD_6 BATON_ROW_6(a, b, 2)
          BATON_FOLD_6 BATON_ROW_6(a, b, 3) BATON_FOLD_6 BATON_ROW_6(a, b, 4)
              BATON_FOLD_6 BATON_ROW_6(a, b, 5) BATON_FOLD_6
      : BATON_WORDS_6(t, "=&r"), [lo] "=&r"(lo), [hi] "=&r"(hi), [top] "=&r"(top)
      : BATON_OPERAND(a), BATON_OPERAND(b), BATON_WORDS_6(p, "m"), BATON_INVERSE
      : "rdx", "cc");
  return reduce_once<Params>(t);
}

/// (a * b + c * d) / R with one reduction. The modulus leaves two bits of the top limb free.
template <class Params>
inline BigInt<4> sum_of_products(const BigInt<4>& a, const BigInt<4>& b, const BigInt<4>& c,
                                 const BigInt<4>& d) {
  static_assert(FpConstants<Params>::kBits <= 64 * 4 - 2);
  const BigInt<4>& p = FpConstants<Params>::kModulus;
  BigInt<4> t;
  std::uint64_t lo;
  std::uint64_t hi;
  std::uint64_t top;
  asm(BATON_FIRST_ROW_4(a, b) BATON_MORE_4(c, d, 0) BATON_FOLD_4 BATON_ROW_4(a, b, 1) BATON_MORE_4(c, d, 1)
          BATON_FOLD_4 BATON_ROW_4(a, b, 2) BATON_MORE_4(c, d, 2) BATON_FOLD_4 BATON_ROW_4(a, b, 3)
              BATON_MORE_4(c, d, 3) BATON_FOLD_4
      : BATON_WORDS_4(t, "=&r"), [lo] "=&r"(lo), [hi] "=&r"(hi), [top] "=&r"(top)
      : BATON_OPERAND(a), BATON_OPERAND(b), BATON_OPERAND(c), BATON_OPERAND(d), BATON_WORDS_4(p, "m"),
        BATON_INVERSE
      : "rdx", "cc");
  return reduce_once<Params>(t);
}

template <class Params>
inline BigInt<6> sum_of_products(const BigInt<6>& a, const BigInt<6>& b, const BigInt<6>& c,
                                 const BigInt<6>& d) {
  static_assert(FpConstants<Params>::kBits <= 64 * 6 - 2);
  const BigInt<6>& p = FpConstants<Params>::kModulus;
  BigInt<6> t;
  std::uint64_t lo;
  std::uint64_t hi;
  std::uint64_t top;
  asm(BATON_FIRST_ROW_6(a, b) BATON_MORE_6(c, d, 0) BATON_FOLD_6 BATON_ROW_6(a, b, 1) BATON_MORE_6(c, d, 1)
          BATON_FOLD_6 BATON_ROW_6(a, b, 2) BATON_MORE_6(c, d, 2) BATON_FOLD_6 BATON_ROW_6(a, b, 3)
              BATON_MORE_6(c, d, 3) BATON_FOLD_6 BATON_ROW_6(a, b, 4) BATON_MORE_6(c, d, 4)
                  BATON_FOLD_6 BATON_ROW_6(a, b, 5) BATON_MORE_6(c, d, 5) BATON_FOLD_6
      : BATON_WORDS_6(t, "=&r"), [lo] "=&r"(lo), [hi] "=&r"(hi), [top] "=&r"(top)
      : BATON_OPERAND(a), BATON_OPERAND(b), BATON_OPERAND(c), BATON_OPERAND(d), BATON_WORDS_6(p, "m"),
        BATON_INVERSE
      : "rdx", "cc");
  return reduce_once<Params>(t);
}

template <class Params>
inline BigInt<4> add(const BigInt<4>& a, const BigInt<4>& b) {
  BigInt<4> t = a;
  asm("addq %[b0], %[t0]\n\tadcq %[b1], %[t1]\n\tadcq %[b2], %[t2]\n\tadcq %[b3], %[t3]"
      : BATON_WORDS_4(t, "+&r")
      : BATON_WORDS_4(b, "m")
      : "cc");
  return reduce_once<Params>(t);
}

template <class Params>
inline BigInt<6> add(const BigInt<6>& a, const BigInt<6>& b) {
  BigInt<6> t = a;
  asm("addq %[b0], %[t0]\n\tadcq %[b1], %[t1]\n\tadcq %[b2], %[t2]\n\tadcq %[b3], %[t3]\n\tadcq %[b4], "
      "%[t4]\n\tadcq %[b5], %[t5]"
      : BATON_WORDS_6(t, "+&r")
      : BATON_WORDS_6(b, "m")
      : "cc");
  return reduce_once<Params>(t);
}

/// a - b, plus p if that borrows; branch-free.
template <class Params>
inline BigInt<4> sub(const BigInt<4>& a, const BigInt<4>& b) {
  const BigInt<4>& p = FpConstants<Params>::kModulus;
  BigInt<4> t = a;
  BigInt<4> s;
  asm("subq %[b0], %[t0]\n\tsbbq %[b1], %[t1]\n\tsbbq %[b2], %[t2]\n\tsbbq %[b3], %[t3]\n\t"
      "sbbq %[s0], %[s0]\n\tmovq %[s0], %[s1]\n\tmovq %[s0], %[s2]\n\tmovq %[s0], %[s3]\n\t"
      "andq %[p0], %[s0]\n\tandq %[p1], %[s1]\n\tandq %[p2], %[s2]\n\tandq %[p3], %[s3]\n\t"
      "addq %[s0], %[t0]\n\tadcq %[s1], %[t1]\n\tadcq %[s2], %[t2]\n\tadcq %[s3], %[t3]"
      : BATON_WORDS_4(t, "+&r"), BATON_WORDS_4(s, "=&r")
      : BATON_WORDS_4(b, "m"), BATON_WORDS_4(p, "m")
      : "cc");
  return t;
}

template <class Params>
inline BigInt<6> sub(const BigInt<6>& a, const BigInt<6>& b) {
  const BigInt<6>& p = FpConstants<Params>::kModulus;
  BigInt<6> t = a;
  BigInt<6> s;
  asm("subq %[b0], %[t0]\n\tsbbq %[b1], %[t1]\n\tsbbq %[b2], %[t2]\n\tsbbq %[b3], %[t3]\n\tsbbq %[b4], "
      "%[t4]\n\tsbbq %[b5], %[t5]\n\t"
      "sbbq %[s0], %[s0]\n\tmovq %[s0], %[s1]\n\tmovq %[s0], %[s2]\n\tmovq %[s0], %[s3]\n\tmovq %[s0], "
      "%[s4]\n\tmovq %[s0], %[s5]\n\t"
      "andq %[p0], %[s0]\n\tandq %[p1], %[s1]\n\tandq %[p2], %[s2]\n\tandq %[p3], %[s3]\n\tandq %[p4], "
      "%[s4]\n\tandq %[p5], %[s5]\n\t"
      "addq %[s0], %[t0]\n\tadcq %[s1], %[t1]\n\tadcq %[s2], %[t2]\n\tadcq %[s3], %[t3]\n\tadcq %[s4], "
      "%[t4]\n\tadcq %[s5], %[t5]"
      : BATON_WORDS_6(t, "+&r"), BATON_WORDS_6(s, "=&r")
      : BATON_WORDS_6(b, "m"), BATON_WORDS_6(p, "m")
      : "cc");
  return t;
}

}  // namespace baton::x86

#undef BATON_LIMB
#undef BATON_MODULUS
#undef BATON_LOAD_MULTIPLIER
#undef BATON_FIRST
#undef BATON_STEP
#undef BATON_CLEAR_CARRIES
#undef BATON_LAST
#undef BATON_LAST_MORE
#undef BATON_FOLD_BEGIN
#undef BATON_FOLD
#undef BATON_FOLD_END
#undef BATON_FIRST_ROW_4
#undef BATON_ROW_4
#undef BATON_MORE_4
#undef BATON_FOLD_4
#undef BATON_FIRST_ROW_6
#undef BATON_ROW_6
#undef BATON_MORE_6
#undef BATON_FOLD_6
#undef BATON_WORDS_4
#undef BATON_WORDS_6
#undef BATON_OPERAND
#undef BATON_INVERSE
#endif
