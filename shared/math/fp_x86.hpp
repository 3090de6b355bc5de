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

/// Limb j of an operand in memory: H is the address 8 bytes on.
#define BATON_LIMB(x, j) BATON_LIMB_##j(x)
#define BATON_LIMB_0(x) "%[" #x "0]"
#define BATON_LIMB_1(x) "%H[" #x "0]"
#define BATON_LIMB_2(x) "%[" #x "2]"
#define BATON_LIMB_3(x) "%H[" #x "2]"
#define BATON_LIMB_4(x) "%[" #x "4]"
#define BATON_LIMB_5(x) "%H[" #x "4]"
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
  "mulxq " BATON_LIMB(p, 0) ", %[lo], %[hi]\n\tadcxq %[t0], %[lo]\n\tmovq %[hi], %[t0]\n\t"
#define BATON_FOLD(j, previous)                                                      \
  "adcxq %[t" #j "], %[t" #previous "]\n\tmulxq " BATON_LIMB(p, j) ", %[lo], %[t" #j \
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

/// The words of t or s as locals, as output operands, and as the result.
#define BATON_DECLARE_4(x) std::uint64_t x##0, x##1, x##2, x##3
#define BATON_DECLARE_6(x) std::uint64_t x##0, x##1, x##2, x##3, x##4, x##5
#define BATON_WORDS_4(x) [x##0] "=&r"(x##0), [x##1] "=&r"(x##1), [x##2] "=&r"(x##2), [x##3] "=&r"(x##3)
#define BATON_WORDS_6(x) BATON_WORDS_4(x), [x##4] "=&r"(x##4), [x##5] "=&r"(x##5)
#define BATON_STORE_4(out) \
  out.limbs[0] = t0;       \
  out.limbs[1] = t1;       \
  out.limbs[2] = t2;       \
  out.limbs[3] = t3
#define BATON_STORE_6(out) \
  BATON_STORE_4(out);      \
  out.limbs[4] = t4;       \
  out.limbs[5] = t5
#define BATON_NAMED_4(name, x) [name##0] "m"(x), [name##2] "m"(x.limbs[2])
#define BATON_NAMED_6(name, x) BATON_NAMED_4(name, x), [name##4] "m"(x.limbs[4])
#define BATON_OPERAND_4(x) BATON_NAMED_4(x, x)
#define BATON_OPERAND_6(x) BATON_NAMED_6(x, x)
#define BATON_INVERSE [inv] "m"(FpConstants<Params>::kNegativeInverse)
#define BATON_MODULUS_4 BATON_NAMED_4(p, FpConstants<Params>::kModulus)
#define BATON_MODULUS_6 BATON_NAMED_6(p, FpConstants<Params>::kModulus)

#define BATON_FOR_4(line) line(0) line(1) line(2) line(3)
#define BATON_FOR_6(line) BATON_FOR_4(line) line(4) line(5)
/// s = t - p
#define BATON_LESS_MODULUS_4 \
  "subq " BATON_LIMB(p, 0) ", %[s0]\n\tsbbq " BATON_LIMB(p, 1) ", %[s1]\n\t"               \
  "sbbq " BATON_LIMB(p, 2) ", %[s2]\n\tsbbq " BATON_LIMB(p, 3) ", %[s3]\n\t"
#define BATON_LESS_MODULUS_6 \
  BATON_LESS_MODULUS_4 "sbbq " BATON_LIMB(p, 4) ", %[s4]\n\tsbbq " BATON_LIMB(p, 5) ", %[s5]\n\t"
#define BATON_LOAD_T(j) "movq " BATON_LIMB(value, j) ", %[t" #j "]\n\t"
#define BATON_COPY_TO_S(j) "movq %[t" #j "], %[s" #j "]\n\t"
#define BATON_UNLESS_BORROW(j) "cmovncq %[s" #j "], %[t" #j "]\n\t"
#define BATON_ZERO_S(j) "xorl %k[s" #j "], %k[s" #j "]\n\t"
#define BATON_MODULUS_IF_BORROW(j) "cmovcq " BATON_LIMB(p, j) ", %[s" #j "]\n\t"
/// One limb of t = a + b or a - b.
#define BATON_WITH_B(operation, j) \
  "movq " BATON_LIMB(a, j) ", %[t" #j "]\n\t" operation " " BATON_LIMB(b, j) ", %[t" #j "]\n\t"
#define BATON_ADD_S(operation, j) operation " %[s" #j "], %[t" #j "]\n\t"

/// Field arithmetic for x86-64 with MULX, ADCX and ADOX; same results as fp_portable.hpp. The result goes to
/// `out`, which may be an operand, in single limbs: whoever copies it soon in larger words waits until the
/// limbs have left the store queue. So the bodies for four limbs are inlined, where the compiler then keeps
/// what is passed on in registers or reads it limb by limb.
namespace baton::x86 {

/// value - p if value >= p; branch-free.
template <class Params>
inline void reduce_once(BigInt<6>& out, const BigInt<6>& value) {
  BATON_DECLARE_6(t);
  BATON_DECLARE_6(s);
  asm(BATON_FOR_6(BATON_LOAD_T) BATON_FOR_6(BATON_COPY_TO_S)
          BATON_LESS_MODULUS_6 BATON_FOR_6(BATON_UNLESS_BORROW)
      : BATON_WORDS_6(t), BATON_WORDS_6(s)
      : BATON_OPERAND_6(value), BATON_MODULUS_6
      : "cc");
  BATON_STORE_6(out);
}

template <class Params>
[[gnu::always_inline]] inline void mul(BigInt<4>& out, const BigInt<4>& a, const BigInt<4>& b) {
  BATON_DECLARE_4(t);
  std::uint64_t lo;
  std::uint64_t hi;
  std::uint64_t top;
  asm(BATON_FIRST_ROW_4(a, b) BATON_FOLD_4 BATON_ROW_4(a, b, 1) BATON_FOLD_4 BATON_ROW_4(a, b, 2) BATON_FOLD_4
          BATON_ROW_4(a, b, 3) BATON_FOLD_4
      // t - p if that does not borrow
      "movq %[t0], %[lo]\n\tmovq %[t1], %[hi]\n\tmovq %[t2], %[top]\n\tmovq %[t3], %%rdx\n\t"
      "subq " BATON_LIMB(p, 0) ", %[lo]\n\tsbbq " BATON_LIMB(p, 1) ", %[hi]\n\t"
      "sbbq " BATON_LIMB(p, 2) ", %[top]\n\tsbbq " BATON_LIMB(p, 3) ", %%rdx\n\t"
      "cmovncq %[lo], %[t0]\n\tcmovncq %[hi], %[t1]\n\tcmovncq %[top], %[t2]\n\tcmovncq %%rdx, %[t3]"
      : BATON_WORDS_4(t), [lo] "=&r"(lo), [hi] "=&r"(hi), [top] "=&r"(top)
      : BATON_OPERAND_4(a), BATON_OPERAND_4(b), BATON_MODULUS_4, BATON_INVERSE
      : "rdx", "cc");
  BATON_STORE_4(out);
}

template <class Params>
inline void mul(BigInt<6>& out, const BigInt<6>& a, const BigInt<6>& b) {
  BATON_DECLARE_6(t);
  std::uint64_t lo;
  std::uint64_t hi;
  std::uint64_t top;
  asm(BATON_FIRST_ROW_6(a, b) BATON_FOLD_6 BATON_ROW_6(a, b, 1) BATON_FOLD_6 BATON_ROW_6(a, b, 2)
          BATON_FOLD_6 BATON_ROW_6(a, b, 3) BATON_FOLD_6 BATON_ROW_6(a, b, 4)
              BATON_FOLD_6 BATON_ROW_6(a, b, 5) BATON_FOLD_6
      : BATON_WORDS_6(t), [lo] "=&r"(lo), [hi] "=&r"(hi), [top] "=&r"(top)
      : BATON_OPERAND_6(a), BATON_OPERAND_6(b), BATON_MODULUS_6, BATON_INVERSE
      : "rdx", "cc");
  BATON_STORE_6(out);
  reduce_once<Params>(out, out);
}

/// (a * b + c * d) / R with one reduction. The modulus leaves two bits of the top limb free.
template <class Params>
[[gnu::always_inline]] inline void sum_of_products(BigInt<4>& out, const BigInt<4>& a, const BigInt<4>& b,
                                                   const BigInt<4>& c, const BigInt<4>& d) {
  static_assert(FpConstants<Params>::kBits <= 64 * 4 - 2);
  BATON_DECLARE_4(t);
  std::uint64_t lo;
  std::uint64_t hi;
  std::uint64_t top;
  asm(BATON_FIRST_ROW_4(a, b) BATON_MORE_4(c, d, 0) BATON_FOLD_4 BATON_ROW_4(a, b, 1) BATON_MORE_4(c, d, 1)
          BATON_FOLD_4 BATON_ROW_4(a, b, 2) BATON_MORE_4(c, d, 2) BATON_FOLD_4 BATON_ROW_4(a, b, 3)
              BATON_MORE_4(c, d, 3) BATON_FOLD_4
      "movq %[t0], %[lo]\n\tmovq %[t1], %[hi]\n\tmovq %[t2], %[top]\n\tmovq %[t3], %%rdx\n\t"
      "subq " BATON_LIMB(p, 0) ", %[lo]\n\tsbbq " BATON_LIMB(p, 1) ", %[hi]\n\t"
      "sbbq " BATON_LIMB(p, 2) ", %[top]\n\tsbbq " BATON_LIMB(p, 3) ", %%rdx\n\t"
      "cmovncq %[lo], %[t0]\n\tcmovncq %[hi], %[t1]\n\tcmovncq %[top], %[t2]\n\tcmovncq %%rdx, %[t3]"
      : BATON_WORDS_4(t), [lo] "=&r"(lo), [hi] "=&r"(hi), [top] "=&r"(top)
      : BATON_OPERAND_4(a), BATON_OPERAND_4(b), BATON_OPERAND_4(c), BATON_OPERAND_4(d), BATON_MODULUS_4, BATON_INVERSE
      : "rdx", "cc");
  BATON_STORE_4(out);
}

template <class Params>
inline void sum_of_products(BigInt<6>& out, const BigInt<6>& a, const BigInt<6>& b, const BigInt<6>& c,
                            const BigInt<6>& d) {
  static_assert(FpConstants<Params>::kBits <= 64 * 6 - 2);
  BATON_DECLARE_6(t);
  std::uint64_t lo;
  std::uint64_t hi;
  std::uint64_t top;
  asm(BATON_FIRST_ROW_6(a, b) BATON_MORE_6(c, d, 0) BATON_FOLD_6 BATON_ROW_6(a, b, 1) BATON_MORE_6(c, d, 1)
          BATON_FOLD_6 BATON_ROW_6(a, b, 2) BATON_MORE_6(c, d, 2) BATON_FOLD_6 BATON_ROW_6(a, b, 3)
              BATON_MORE_6(c, d, 3) BATON_FOLD_6 BATON_ROW_6(a, b, 4) BATON_MORE_6(c, d, 4)
                  BATON_FOLD_6 BATON_ROW_6(a, b, 5) BATON_MORE_6(c, d, 5) BATON_FOLD_6
      : BATON_WORDS_6(t), [lo] "=&r"(lo), [hi] "=&r"(hi), [top] "=&r"(top)
      : BATON_OPERAND_6(a), BATON_OPERAND_6(b), BATON_OPERAND_6(c), BATON_OPERAND_6(d), BATON_MODULUS_6,
        BATON_INVERSE
      : "rdx", "cc");
  BATON_STORE_6(out);
  reduce_once<Params>(out, out);
}

template <class Params>
[[gnu::always_inline]] inline void add(BigInt<4>& out, const BigInt<4>& a, const BigInt<4>& b) {
  BATON_DECLARE_4(t);
  BATON_DECLARE_4(s);
  asm(BATON_WITH_B("addq", 0) BATON_WITH_B("adcq", 1) BATON_WITH_B("adcq", 2) BATON_WITH_B("adcq", 3)
          BATON_FOR_4(BATON_COPY_TO_S) BATON_LESS_MODULUS_4 BATON_FOR_4(BATON_UNLESS_BORROW)
      : BATON_WORDS_4(t), BATON_WORDS_4(s)
      : BATON_OPERAND_4(a), BATON_OPERAND_4(b), BATON_MODULUS_4
      : "cc");
  BATON_STORE_4(out);
}

template <class Params>
inline void add(BigInt<6>& out, const BigInt<6>& a, const BigInt<6>& b) {
  BATON_DECLARE_6(t);
  asm(BATON_WITH_B("addq", 0) BATON_WITH_B("adcq", 1) BATON_WITH_B("adcq", 2) BATON_WITH_B("adcq", 3)
          BATON_WITH_B("adcq", 4) BATON_WITH_B("adcq", 5)
      : BATON_WORDS_6(t)
      : BATON_OPERAND_6(a), BATON_OPERAND_6(b)
      : "cc");
  BATON_STORE_6(out);
  reduce_once<Params>(out, out);
}

/// a - b, plus p if that borrows; branch-free.
template <class Params>
[[gnu::always_inline]] inline void sub(BigInt<4>& out, const BigInt<4>& a, const BigInt<4>& b) {
  BATON_DECLARE_4(t);
  BATON_DECLARE_4(s);
  asm(BATON_FOR_4(BATON_ZERO_S) BATON_WITH_B("subq", 0) BATON_WITH_B("sbbq", 1) BATON_WITH_B("sbbq", 2)
          BATON_WITH_B("sbbq", 3) BATON_FOR_4(BATON_MODULUS_IF_BORROW) BATON_ADD_S("addq", 0)
              BATON_ADD_S("adcq", 1) BATON_ADD_S("adcq", 2) BATON_ADD_S("adcq", 3)
      : BATON_WORDS_4(t), BATON_WORDS_4(s)
      : BATON_OPERAND_4(a), BATON_OPERAND_4(b), BATON_MODULUS_4
      : "cc");
  BATON_STORE_4(out);
}

template <class Params>
inline void sub(BigInt<6>& out, const BigInt<6>& a, const BigInt<6>& b) {
  BATON_DECLARE_6(t);
  BATON_DECLARE_6(s);
  asm(BATON_FOR_6(BATON_ZERO_S) BATON_WITH_B("subq", 0) BATON_WITH_B("sbbq", 1) BATON_WITH_B("sbbq", 2)
          BATON_WITH_B("sbbq", 3) BATON_WITH_B("sbbq", 4) BATON_WITH_B("sbbq", 5)
              BATON_FOR_6(BATON_MODULUS_IF_BORROW) BATON_ADD_S("addq", 0) BATON_ADD_S("adcq", 1)
                  BATON_ADD_S("adcq", 2) BATON_ADD_S("adcq", 3) BATON_ADD_S("adcq", 4) BATON_ADD_S("adcq", 5)
      : BATON_WORDS_6(t), BATON_WORDS_6(s)
      : BATON_OPERAND_6(a), BATON_OPERAND_6(b), BATON_MODULUS_6
      : "cc");
  BATON_STORE_6(out);
}

}  // namespace baton::x86

#undef BATON_LIMB
#undef BATON_LIMB_0
#undef BATON_LIMB_1
#undef BATON_LIMB_2
#undef BATON_LIMB_3
#undef BATON_LIMB_4
#undef BATON_LIMB_5
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
#undef BATON_DECLARE_4
#undef BATON_DECLARE_6
#undef BATON_STORE_4
#undef BATON_STORE_6
#undef BATON_LOAD_T
#undef BATON_WORDS_4
#undef BATON_WORDS_6
#undef BATON_NAMED_4
#undef BATON_NAMED_6
#undef BATON_OPERAND_4
#undef BATON_OPERAND_6
#undef BATON_INVERSE
#undef BATON_MODULUS_4
#undef BATON_MODULUS_6
#undef BATON_FOR_4
#undef BATON_FOR_6
#undef BATON_LESS_MODULUS_4
#undef BATON_LESS_MODULUS_6
#undef BATON_COPY_TO_S
#undef BATON_UNLESS_BORROW
#undef BATON_ZERO_S
#undef BATON_MODULUS_IF_BORROW
#undef BATON_WITH_B
#undef BATON_ADD_S
#endif
