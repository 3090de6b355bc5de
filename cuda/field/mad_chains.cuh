#pragma once

#include <cstdint>

/// Carry chains of multi-word arithmetic, one assembler statement each, so that no carry ever lives between
/// statements. Words are little-endian 32-bit. On the host the same functions run in portable C++, which
/// lets every formula above them be tested without a device.

#if defined(__CUDACC__)
#define BATON_FIELD_FN __host__ __device__ __forceinline__
#define BATON_UNROLL _Pragma("unroll")
#else
#define BATON_FIELD_FN inline
#define BATON_UNROLL
#endif

namespace baton::device::chain {

namespace portable {

/// acc[2j], acc[2j+1] += a[2j] * b with carry through all pairs; returns the carry out.
template <int kPairs>
BATON_FIELD_FN std::uint32_t mad(std::uint32_t* acc, const std::uint32_t* a, std::uint32_t b) {
  std::uint64_t carry = 0;
  for (int j = 0; j < kPairs; ++j) {
    const std::uint64_t product = static_cast<std::uint64_t>(a[2 * j]) * b;
    const std::uint64_t low = (product & 0xffffffffU) + acc[2 * j] + carry;
    const std::uint64_t high = (product >> 32) + acc[2 * j + 1] + (low >> 32);
    acc[2 * j] = static_cast<std::uint32_t>(low);
    acc[2 * j + 1] = static_cast<std::uint32_t>(high);
    carry = high >> 32;
  }
  return static_cast<std::uint32_t>(carry);
}

/// acc = (acc >> 64) + a_even * b + carry_in, in place.
template <int kPairs>
BATON_FIELD_FN void shift_mad(std::uint32_t* acc, const std::uint32_t* a, std::uint32_t b,
                              std::uint32_t carry_in) {
  std::uint64_t carry = carry_in;
  for (int j = 0; j < kPairs; ++j) {
    const bool last = j == kPairs - 1;
    const std::uint64_t product = static_cast<std::uint64_t>(a[2 * j]) * b;
    const std::uint64_t low = (product & 0xffffffffU) + (last ? 0 : acc[2 * j + 2]) + carry;
    const std::uint64_t high = (product >> 32) + (last ? 0 : acc[2 * j + 3]) + (low >> 32);
    acc[2 * j] = static_cast<std::uint32_t>(low);
    acc[2 * j + 1] = static_cast<std::uint32_t>(high);
    carry = high >> 32;
  }
}

}  // namespace portable

/// acc[0..2k) += a[0,2,..] * b, and the carry out is added to `top`. a is read at even offsets only.
template <int kPairs>
BATON_FIELD_FN void mad_carry(std::uint32_t* acc, const std::uint32_t* a, std::uint32_t b,
                              std::uint32_t& top) {
#if defined(__CUDA_ARCH__)
  if constexpr (kPairs == 1) {
    asm("mad.lo.cc.u32 %0, %3, %4, %0;\n\t"
        "madc.hi.cc.u32 %1, %3, %4, %1;\n\t"
        "addc.u32 %2, %2, 0;"
        : "+r"(acc[0]), "+r"(acc[1]), "+r"(top)
        : "r"(a[0]), "r"(b));
  } else if constexpr (kPairs == 2) {
    asm("mad.lo.cc.u32 %0, %5, %7, %0;\n\t"
        "madc.hi.cc.u32 %1, %5, %7, %1;\n\t"
        "madc.lo.cc.u32 %2, %6, %7, %2;\n\t"
        "madc.hi.cc.u32 %3, %6, %7, %3;\n\t"
        "addc.u32 %4, %4, 0;"
        : "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]), "+r"(top)
        : "r"(a[0]), "r"(a[2]), "r"(b));
  } else if constexpr (kPairs == 3) {
    asm("mad.lo.cc.u32 %0, %7, %10, %0;\n\t"
        "madc.hi.cc.u32 %1, %7, %10, %1;\n\t"
        "madc.lo.cc.u32 %2, %8, %10, %2;\n\t"
        "madc.hi.cc.u32 %3, %8, %10, %3;\n\t"
        "madc.lo.cc.u32 %4, %9, %10, %4;\n\t"
        "madc.hi.cc.u32 %5, %9, %10, %5;\n\t"
        "addc.u32 %6, %6, 0;"
        : "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]), "+r"(acc[4]), "+r"(acc[5]), "+r"(top)
        : "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(b));
  } else if constexpr (kPairs == 4) {
    asm("mad.lo.cc.u32 %0, %9, %13, %0;\n\t"
        "madc.hi.cc.u32 %1, %9, %13, %1;\n\t"
        "madc.lo.cc.u32 %2, %10, %13, %2;\n\t"
        "madc.hi.cc.u32 %3, %10, %13, %3;\n\t"
        "madc.lo.cc.u32 %4, %11, %13, %4;\n\t"
        "madc.hi.cc.u32 %5, %11, %13, %5;\n\t"
        "madc.lo.cc.u32 %6, %12, %13, %6;\n\t"
        "madc.hi.cc.u32 %7, %12, %13, %7;\n\t"
        "addc.u32 %8, %8, 0;"
        : "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]), "+r"(acc[4]), "+r"(acc[5]), "+r"(acc[6]),
          "+r"(acc[7]), "+r"(top)
        : "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(a[6]), "r"(b));
  } else if constexpr (kPairs == 5) {
    asm("mad.lo.cc.u32 %0, %11, %16, %0;\n\t"
        "madc.hi.cc.u32 %1, %11, %16, %1;\n\t"
        "madc.lo.cc.u32 %2, %12, %16, %2;\n\t"
        "madc.hi.cc.u32 %3, %12, %16, %3;\n\t"
        "madc.lo.cc.u32 %4, %13, %16, %4;\n\t"
        "madc.hi.cc.u32 %5, %13, %16, %5;\n\t"
        "madc.lo.cc.u32 %6, %14, %16, %6;\n\t"
        "madc.hi.cc.u32 %7, %14, %16, %7;\n\t"
        "madc.lo.cc.u32 %8, %15, %16, %8;\n\t"
        "madc.hi.cc.u32 %9, %15, %16, %9;\n\t"
        "addc.u32 %10, %10, 0;"
        : "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]), "+r"(acc[4]), "+r"(acc[5]), "+r"(acc[6]),
          "+r"(acc[7]), "+r"(acc[8]), "+r"(acc[9]), "+r"(top)
        : "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(a[6]), "r"(a[8]), "r"(b));
  } else if constexpr (kPairs == 6) {
    asm("mad.lo.cc.u32 %0, %13, %19, %0;\n\t"
        "madc.hi.cc.u32 %1, %13, %19, %1;\n\t"
        "madc.lo.cc.u32 %2, %14, %19, %2;\n\t"
        "madc.hi.cc.u32 %3, %14, %19, %3;\n\t"
        "madc.lo.cc.u32 %4, %15, %19, %4;\n\t"
        "madc.hi.cc.u32 %5, %15, %19, %5;\n\t"
        "madc.lo.cc.u32 %6, %16, %19, %6;\n\t"
        "madc.hi.cc.u32 %7, %16, %19, %7;\n\t"
        "madc.lo.cc.u32 %8, %17, %19, %8;\n\t"
        "madc.hi.cc.u32 %9, %17, %19, %9;\n\t"
        "madc.lo.cc.u32 %10, %18, %19, %10;\n\t"
        "madc.hi.cc.u32 %11, %18, %19, %11;\n\t"
        "addc.u32 %12, %12, 0;"
        : "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]), "+r"(acc[4]), "+r"(acc[5]), "+r"(acc[6]),
          "+r"(acc[7]), "+r"(acc[8]), "+r"(acc[9]), "+r"(acc[10]), "+r"(acc[11]), "+r"(top)
        : "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(a[6]), "r"(a[8]), "r"(a[10]), "r"(b));
  }
#else
  top += portable::mad<kPairs>(acc, a, b);
#endif
}

/// The same where the sum is known to fit: no carry out.
template <int kPairs>
BATON_FIELD_FN void mad(std::uint32_t* acc, const std::uint32_t* a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  if constexpr (kPairs == 4) {
    asm("mad.lo.cc.u32 %0, %8, %12, %0;\n\t"
        "madc.hi.cc.u32 %1, %8, %12, %1;\n\t"
        "madc.lo.cc.u32 %2, %9, %12, %2;\n\t"
        "madc.hi.cc.u32 %3, %9, %12, %3;\n\t"
        "madc.lo.cc.u32 %4, %10, %12, %4;\n\t"
        "madc.hi.cc.u32 %5, %10, %12, %5;\n\t"
        "madc.lo.cc.u32 %6, %11, %12, %6;\n\t"
        "madc.hi.u32 %7, %11, %12, %7;"
        : "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]), "+r"(acc[4]), "+r"(acc[5]), "+r"(acc[6]),
          "+r"(acc[7])
        : "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(a[6]), "r"(b));
  } else if constexpr (kPairs == 6) {
    asm("mad.lo.cc.u32 %0, %12, %18, %0;\n\t"
        "madc.hi.cc.u32 %1, %12, %18, %1;\n\t"
        "madc.lo.cc.u32 %2, %13, %18, %2;\n\t"
        "madc.hi.cc.u32 %3, %13, %18, %3;\n\t"
        "madc.lo.cc.u32 %4, %14, %18, %4;\n\t"
        "madc.hi.cc.u32 %5, %14, %18, %5;\n\t"
        "madc.lo.cc.u32 %6, %15, %18, %6;\n\t"
        "madc.hi.cc.u32 %7, %15, %18, %7;\n\t"
        "madc.lo.cc.u32 %8, %16, %18, %8;\n\t"
        "madc.hi.cc.u32 %9, %16, %18, %9;\n\t"
        "madc.lo.cc.u32 %10, %17, %18, %10;\n\t"
        "madc.hi.u32 %11, %17, %18, %11;"
        : "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]), "+r"(acc[4]), "+r"(acc[5]), "+r"(acc[6]),
          "+r"(acc[7]), "+r"(acc[8]), "+r"(acc[9]), "+r"(acc[10]), "+r"(acc[11])
        : "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(a[6]), "r"(a[8]), "r"(a[10]), "r"(b));
  }
#else
  portable::mad<kPairs>(acc, a, b);
#endif
}

/// low += acc[1]; acc = (acc >> 64) + a_even * b + that carry. The start of a row of a Montgomery product,
/// where `acc` has been the even accumulator (acc[0] is 0) and becomes the odd one.
template <int kPairs>
BATON_FIELD_FN void shift_mad(std::uint32_t& low, std::uint32_t* acc, const std::uint32_t* a,
                              std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  if constexpr (kPairs == 4) {
    asm("add.cc.u32 %0, %0, %2;\n\t"
        "madc.lo.cc.u32 %1, %9, %13, %3;\n\t"
        "madc.hi.cc.u32 %2, %9, %13, %4;\n\t"
        "madc.lo.cc.u32 %3, %10, %13, %5;\n\t"
        "madc.hi.cc.u32 %4, %10, %13, %6;\n\t"
        "madc.lo.cc.u32 %5, %11, %13, %7;\n\t"
        "madc.hi.cc.u32 %6, %11, %13, %8;\n\t"
        "madc.lo.cc.u32 %7, %12, %13, 0;\n\t"
        "madc.hi.u32 %8, %12, %13, 0;"
        : "+r"(low), "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]), "+r"(acc[4]), "+r"(acc[5]),
          "+r"(acc[6]), "+r"(acc[7])
        : "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(a[6]), "r"(b));
  } else if constexpr (kPairs == 6) {
    asm("add.cc.u32 %0, %0, %2;\n\t"
        "madc.lo.cc.u32 %1, %13, %19, %3;\n\t"
        "madc.hi.cc.u32 %2, %13, %19, %4;\n\t"
        "madc.lo.cc.u32 %3, %14, %19, %5;\n\t"
        "madc.hi.cc.u32 %4, %14, %19, %6;\n\t"
        "madc.lo.cc.u32 %5, %15, %19, %7;\n\t"
        "madc.hi.cc.u32 %6, %15, %19, %8;\n\t"
        "madc.lo.cc.u32 %7, %16, %19, %9;\n\t"
        "madc.hi.cc.u32 %8, %16, %19, %10;\n\t"
        "madc.lo.cc.u32 %9, %17, %19, %11;\n\t"
        "madc.hi.cc.u32 %10, %17, %19, %12;\n\t"
        "madc.lo.cc.u32 %11, %18, %19, 0;\n\t"
        "madc.hi.u32 %12, %18, %19, 0;"
        : "+r"(low), "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]), "+r"(acc[4]), "+r"(acc[5]),
          "+r"(acc[6]), "+r"(acc[7]), "+r"(acc[8]), "+r"(acc[9]), "+r"(acc[10]), "+r"(acc[11])
        : "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(a[6]), "r"(a[8]), "r"(a[10]), "r"(b));
  }
#else
  const std::uint64_t sum = static_cast<std::uint64_t>(low) + acc[1];
  low = static_cast<std::uint32_t>(sum);
  portable::shift_mad<kPairs>(acc, a, b, static_cast<std::uint32_t>(sum >> 32));
#endif
}

/// The same with b = m = low * n0, computed after `low` has its sum; returns m.
template <int kPairs>
BATON_FIELD_FN std::uint32_t shift_redc(std::uint32_t& low, std::uint32_t* acc, const std::uint32_t* a,
                                        std::uint32_t n0) {
  std::uint32_t m;
#if defined(__CUDA_ARCH__)
  if constexpr (kPairs == 4) {
    asm("add.cc.u32 %0, %0, %3;\n\t"
        "mul.lo.u32 %1, %0, %14;\n\t"
        "madc.lo.cc.u32 %2, %10, %1, %4;\n\t"
        "madc.hi.cc.u32 %3, %10, %1, %5;\n\t"
        "madc.lo.cc.u32 %4, %11, %1, %6;\n\t"
        "madc.hi.cc.u32 %5, %11, %1, %7;\n\t"
        "madc.lo.cc.u32 %6, %12, %1, %8;\n\t"
        "madc.hi.cc.u32 %7, %12, %1, %9;\n\t"
        "madc.lo.cc.u32 %8, %13, %1, 0;\n\t"
        "madc.hi.u32 %9, %13, %1, 0;"
        : "+r"(low), "=&r"(m), "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]), "+r"(acc[4]),
          "+r"(acc[5]), "+r"(acc[6]), "+r"(acc[7])
        : "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(a[6]), "r"(n0));
  } else if constexpr (kPairs == 6) {
    asm("add.cc.u32 %0, %0, %3;\n\t"
        "mul.lo.u32 %1, %0, %20;\n\t"
        "madc.lo.cc.u32 %2, %14, %1, %4;\n\t"
        "madc.hi.cc.u32 %3, %14, %1, %5;\n\t"
        "madc.lo.cc.u32 %4, %15, %1, %6;\n\t"
        "madc.hi.cc.u32 %5, %15, %1, %7;\n\t"
        "madc.lo.cc.u32 %6, %16, %1, %8;\n\t"
        "madc.hi.cc.u32 %7, %16, %1, %9;\n\t"
        "madc.lo.cc.u32 %8, %17, %1, %10;\n\t"
        "madc.hi.cc.u32 %9, %17, %1, %11;\n\t"
        "madc.lo.cc.u32 %10, %18, %1, %12;\n\t"
        "madc.hi.cc.u32 %11, %18, %1, %13;\n\t"
        "madc.lo.cc.u32 %12, %19, %1, 0;\n\t"
        "madc.hi.u32 %13, %19, %1, 0;"
        : "+r"(low), "=&r"(m), "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]), "+r"(acc[4]),
          "+r"(acc[5]), "+r"(acc[6]), "+r"(acc[7]), "+r"(acc[8]), "+r"(acc[9]), "+r"(acc[10]), "+r"(acc[11])
        : "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(a[6]), "r"(a[8]), "r"(a[10]), "r"(n0));
  }
#else
  const std::uint64_t sum = static_cast<std::uint64_t>(low) + acc[1];
  low = static_cast<std::uint32_t>(sum);
  m = low * n0;
  portable::shift_mad<kPairs>(acc, a, m, static_cast<std::uint32_t>(sum >> 32));
#endif
  return m;
}

/// acc[0..2k) = a[0,2,..] * b: independent wide products, no carries.
template <int kPairs>
BATON_FIELD_FN void mul(std::uint32_t* acc, const std::uint32_t* a, std::uint32_t b) {
  BATON_UNROLL
  for (int j = 0; j < kPairs; ++j) {
    const std::uint64_t product = static_cast<std::uint64_t>(a[2 * j]) * b;
    acc[2 * j] = static_cast<std::uint32_t>(product);
    acc[2 * j + 1] = static_cast<std::uint32_t>(product >> 32);
  }
}

}  // namespace baton::device::chain
