#pragma once

#include <cstdint>

#include "cuda/field/mad_chains.cuh"

namespace baton::device::chain {

/// out = a + b over kWords words; returns the carry out (0 or 1). `out` may be `a` or `b`.
template <int kWords>
BATON_FIELD_FN std::uint32_t add(std::uint32_t* out, const std::uint32_t* a, const std::uint32_t* b) {
  std::uint32_t carry;
#if defined(__CUDA_ARCH__)
  if constexpr (kWords == 7) {
    asm("add.cc.u32 %0, %8, %15;\n\t"
        "addc.cc.u32 %1, %9, %16;\n\t"
        "addc.cc.u32 %2, %10, %17;\n\t"
        "addc.cc.u32 %3, %11, %18;\n\t"
        "addc.cc.u32 %4, %12, %19;\n\t"
        "addc.cc.u32 %5, %13, %20;\n\t"
        "addc.cc.u32 %6, %14, %21;\n\t"
        "addc.u32 %7, 0, 0;"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]), "=&r"(out[4]), "=&r"(out[5]),
          "=&r"(out[6]), "=r"(carry)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(b[0]), "r"(b[1]),
          "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]));
  } else if constexpr (kWords == 8) {
    asm("add.cc.u32 %0, %9, %17;\n\t"
        "addc.cc.u32 %1, %10, %18;\n\t"
        "addc.cc.u32 %2, %11, %19;\n\t"
        "addc.cc.u32 %3, %12, %20;\n\t"
        "addc.cc.u32 %4, %13, %21;\n\t"
        "addc.cc.u32 %5, %14, %22;\n\t"
        "addc.cc.u32 %6, %15, %23;\n\t"
        "addc.cc.u32 %7, %16, %24;\n\t"
        "addc.u32 %8, 0, 0;"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]), "=&r"(out[4]), "=&r"(out[5]),
          "=&r"(out[6]), "=&r"(out[7]), "=r"(carry)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(b[0]),
          "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]));
  } else if constexpr (kWords == 11) {
    asm("add.cc.u32 %0, %12, %23;\n\t"
        "addc.cc.u32 %1, %13, %24;\n\t"
        "addc.cc.u32 %2, %14, %25;\n\t"
        "addc.cc.u32 %3, %15, %26;\n\t"
        "addc.cc.u32 %4, %16, %27;\n\t"
        "addc.cc.u32 %5, %17, %28;\n\t"
        "addc.cc.u32 %6, %18, %29;\n\t"
        "addc.cc.u32 %7, %19, %30;\n\t"
        "addc.cc.u32 %8, %20, %31;\n\t"
        "addc.cc.u32 %9, %21, %32;\n\t"
        "addc.cc.u32 %10, %22, %33;\n\t"
        "addc.u32 %11, 0, 0;"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]), "=&r"(out[4]), "=&r"(out[5]),
          "=&r"(out[6]), "=&r"(out[7]), "=&r"(out[8]), "=&r"(out[9]), "=&r"(out[10]), "=r"(carry)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(a[8]),
          "r"(a[9]), "r"(a[10]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]),
          "r"(b[7]), "r"(b[8]), "r"(b[9]), "r"(b[10]));
  } else if constexpr (kWords == 12) {
    asm("add.cc.u32 %0, %13, %25;\n\t"
        "addc.cc.u32 %1, %14, %26;\n\t"
        "addc.cc.u32 %2, %15, %27;\n\t"
        "addc.cc.u32 %3, %16, %28;\n\t"
        "addc.cc.u32 %4, %17, %29;\n\t"
        "addc.cc.u32 %5, %18, %30;\n\t"
        "addc.cc.u32 %6, %19, %31;\n\t"
        "addc.cc.u32 %7, %20, %32;\n\t"
        "addc.cc.u32 %8, %21, %33;\n\t"
        "addc.cc.u32 %9, %22, %34;\n\t"
        "addc.cc.u32 %10, %23, %35;\n\t"
        "addc.cc.u32 %11, %24, %36;\n\t"
        "addc.u32 %12, 0, 0;"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]), "=&r"(out[4]), "=&r"(out[5]),
          "=&r"(out[6]), "=&r"(out[7]), "=&r"(out[8]), "=&r"(out[9]), "=&r"(out[10]), "=&r"(out[11]),
          "=r"(carry)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(a[8]),
          "r"(a[9]), "r"(a[10]), "r"(a[11]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]),
          "r"(b[6]), "r"(b[7]), "r"(b[8]), "r"(b[9]), "r"(b[10]), "r"(b[11]));
  } else if constexpr (kWords == 15) {
    asm("add.cc.u32 %0, %16, %31;\n\t"
        "addc.cc.u32 %1, %17, %32;\n\t"
        "addc.cc.u32 %2, %18, %33;\n\t"
        "addc.cc.u32 %3, %19, %34;\n\t"
        "addc.cc.u32 %4, %20, %35;\n\t"
        "addc.cc.u32 %5, %21, %36;\n\t"
        "addc.cc.u32 %6, %22, %37;\n\t"
        "addc.cc.u32 %7, %23, %38;\n\t"
        "addc.cc.u32 %8, %24, %39;\n\t"
        "addc.cc.u32 %9, %25, %40;\n\t"
        "addc.cc.u32 %10, %26, %41;\n\t"
        "addc.cc.u32 %11, %27, %42;\n\t"
        "addc.cc.u32 %12, %28, %43;\n\t"
        "addc.cc.u32 %13, %29, %44;\n\t"
        "addc.cc.u32 %14, %30, %45;\n\t"
        "addc.u32 %15, 0, 0;"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]), "=&r"(out[4]), "=&r"(out[5]),
          "=&r"(out[6]), "=&r"(out[7]), "=&r"(out[8]), "=&r"(out[9]), "=&r"(out[10]), "=&r"(out[11]),
          "=&r"(out[12]), "=&r"(out[13]), "=&r"(out[14]), "=r"(carry)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(a[8]),
          "r"(a[9]), "r"(a[10]), "r"(a[11]), "r"(a[12]), "r"(a[13]), "r"(a[14]), "r"(b[0]), "r"(b[1]),
          "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]), "r"(b[8]), "r"(b[9]), "r"(b[10]),
          "r"(b[11]), "r"(b[12]), "r"(b[13]), "r"(b[14]));
  } else if constexpr (kWords == 16) {
    asm("add.cc.u32 %0, %17, %33;\n\t"
        "addc.cc.u32 %1, %18, %34;\n\t"
        "addc.cc.u32 %2, %19, %35;\n\t"
        "addc.cc.u32 %3, %20, %36;\n\t"
        "addc.cc.u32 %4, %21, %37;\n\t"
        "addc.cc.u32 %5, %22, %38;\n\t"
        "addc.cc.u32 %6, %23, %39;\n\t"
        "addc.cc.u32 %7, %24, %40;\n\t"
        "addc.cc.u32 %8, %25, %41;\n\t"
        "addc.cc.u32 %9, %26, %42;\n\t"
        "addc.cc.u32 %10, %27, %43;\n\t"
        "addc.cc.u32 %11, %28, %44;\n\t"
        "addc.cc.u32 %12, %29, %45;\n\t"
        "addc.cc.u32 %13, %30, %46;\n\t"
        "addc.cc.u32 %14, %31, %47;\n\t"
        "addc.cc.u32 %15, %32, %48;\n\t"
        "addc.u32 %16, 0, 0;"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]), "=&r"(out[4]), "=&r"(out[5]),
          "=&r"(out[6]), "=&r"(out[7]), "=&r"(out[8]), "=&r"(out[9]), "=&r"(out[10]), "=&r"(out[11]),
          "=&r"(out[12]), "=&r"(out[13]), "=&r"(out[14]), "=&r"(out[15]), "=r"(carry)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(a[8]),
          "r"(a[9]), "r"(a[10]), "r"(a[11]), "r"(a[12]), "r"(a[13]), "r"(a[14]), "r"(a[15]), "r"(b[0]),
          "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]), "r"(b[8]), "r"(b[9]),
          "r"(b[10]), "r"(b[11]), "r"(b[12]), "r"(b[13]), "r"(b[14]), "r"(b[15]));
  } else if constexpr (kWords == 23) {
    asm("add.cc.u32 %0, %24, %47;\n\t"
        "addc.cc.u32 %1, %25, %48;\n\t"
        "addc.cc.u32 %2, %26, %49;\n\t"
        "addc.cc.u32 %3, %27, %50;\n\t"
        "addc.cc.u32 %4, %28, %51;\n\t"
        "addc.cc.u32 %5, %29, %52;\n\t"
        "addc.cc.u32 %6, %30, %53;\n\t"
        "addc.cc.u32 %7, %31, %54;\n\t"
        "addc.cc.u32 %8, %32, %55;\n\t"
        "addc.cc.u32 %9, %33, %56;\n\t"
        "addc.cc.u32 %10, %34, %57;\n\t"
        "addc.cc.u32 %11, %35, %58;\n\t"
        "addc.cc.u32 %12, %36, %59;\n\t"
        "addc.cc.u32 %13, %37, %60;\n\t"
        "addc.cc.u32 %14, %38, %61;\n\t"
        "addc.cc.u32 %15, %39, %62;\n\t"
        "addc.cc.u32 %16, %40, %63;\n\t"
        "addc.cc.u32 %17, %41, %64;\n\t"
        "addc.cc.u32 %18, %42, %65;\n\t"
        "addc.cc.u32 %19, %43, %66;\n\t"
        "addc.cc.u32 %20, %44, %67;\n\t"
        "addc.cc.u32 %21, %45, %68;\n\t"
        "addc.cc.u32 %22, %46, %69;\n\t"
        "addc.u32 %23, 0, 0;"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]), "=&r"(out[4]), "=&r"(out[5]),
          "=&r"(out[6]), "=&r"(out[7]), "=&r"(out[8]), "=&r"(out[9]), "=&r"(out[10]), "=&r"(out[11]),
          "=&r"(out[12]), "=&r"(out[13]), "=&r"(out[14]), "=&r"(out[15]), "=&r"(out[16]), "=&r"(out[17]),
          "=&r"(out[18]), "=&r"(out[19]), "=&r"(out[20]), "=&r"(out[21]), "=&r"(out[22]), "=r"(carry)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(a[8]),
          "r"(a[9]), "r"(a[10]), "r"(a[11]), "r"(a[12]), "r"(a[13]), "r"(a[14]), "r"(a[15]), "r"(a[16]),
          "r"(a[17]), "r"(a[18]), "r"(a[19]), "r"(a[20]), "r"(a[21]), "r"(a[22]), "r"(b[0]), "r"(b[1]),
          "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]), "r"(b[8]), "r"(b[9]), "r"(b[10]),
          "r"(b[11]), "r"(b[12]), "r"(b[13]), "r"(b[14]), "r"(b[15]), "r"(b[16]), "r"(b[17]), "r"(b[18]),
          "r"(b[19]), "r"(b[20]), "r"(b[21]), "r"(b[22]));
  } else if constexpr (kWords == 24) {
    asm("add.cc.u32 %0, %25, %49;\n\t"
        "addc.cc.u32 %1, %26, %50;\n\t"
        "addc.cc.u32 %2, %27, %51;\n\t"
        "addc.cc.u32 %3, %28, %52;\n\t"
        "addc.cc.u32 %4, %29, %53;\n\t"
        "addc.cc.u32 %5, %30, %54;\n\t"
        "addc.cc.u32 %6, %31, %55;\n\t"
        "addc.cc.u32 %7, %32, %56;\n\t"
        "addc.cc.u32 %8, %33, %57;\n\t"
        "addc.cc.u32 %9, %34, %58;\n\t"
        "addc.cc.u32 %10, %35, %59;\n\t"
        "addc.cc.u32 %11, %36, %60;\n\t"
        "addc.cc.u32 %12, %37, %61;\n\t"
        "addc.cc.u32 %13, %38, %62;\n\t"
        "addc.cc.u32 %14, %39, %63;\n\t"
        "addc.cc.u32 %15, %40, %64;\n\t"
        "addc.cc.u32 %16, %41, %65;\n\t"
        "addc.cc.u32 %17, %42, %66;\n\t"
        "addc.cc.u32 %18, %43, %67;\n\t"
        "addc.cc.u32 %19, %44, %68;\n\t"
        "addc.cc.u32 %20, %45, %69;\n\t"
        "addc.cc.u32 %21, %46, %70;\n\t"
        "addc.cc.u32 %22, %47, %71;\n\t"
        "addc.cc.u32 %23, %48, %72;\n\t"
        "addc.u32 %24, 0, 0;"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]), "=&r"(out[4]), "=&r"(out[5]),
          "=&r"(out[6]), "=&r"(out[7]), "=&r"(out[8]), "=&r"(out[9]), "=&r"(out[10]), "=&r"(out[11]),
          "=&r"(out[12]), "=&r"(out[13]), "=&r"(out[14]), "=&r"(out[15]), "=&r"(out[16]), "=&r"(out[17]),
          "=&r"(out[18]), "=&r"(out[19]), "=&r"(out[20]), "=&r"(out[21]), "=&r"(out[22]), "=&r"(out[23]),
          "=r"(carry)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(a[8]),
          "r"(a[9]), "r"(a[10]), "r"(a[11]), "r"(a[12]), "r"(a[13]), "r"(a[14]), "r"(a[15]), "r"(a[16]),
          "r"(a[17]), "r"(a[18]), "r"(a[19]), "r"(a[20]), "r"(a[21]), "r"(a[22]), "r"(a[23]), "r"(b[0]),
          "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]), "r"(b[8]), "r"(b[9]),
          "r"(b[10]), "r"(b[11]), "r"(b[12]), "r"(b[13]), "r"(b[14]), "r"(b[15]), "r"(b[16]), "r"(b[17]),
          "r"(b[18]), "r"(b[19]), "r"(b[20]), "r"(b[21]), "r"(b[22]), "r"(b[23]));
  }
#else
  std::uint64_t sum = 0;
  for (int i = 0; i < kWords; ++i) {
    sum += static_cast<std::uint64_t>(a[i]) + b[i];
    out[i] = static_cast<std::uint32_t>(sum);
    sum >>= 32;
  }
  carry = static_cast<std::uint32_t>(sum);
#endif
  return carry;
}

/// out = a - b over kWords words; returns the borrow as a mask (0 or all ones). `out` may be `a` or `b`.
template <int kWords>
BATON_FIELD_FN std::uint32_t sub(std::uint32_t* out, const std::uint32_t* a, const std::uint32_t* b) {
  std::uint32_t carry;
#if defined(__CUDA_ARCH__)
  if constexpr (kWords == 8) {
    asm("sub.cc.u32 %0, %9, %17;\n\t"
        "subc.cc.u32 %1, %10, %18;\n\t"
        "subc.cc.u32 %2, %11, %19;\n\t"
        "subc.cc.u32 %3, %12, %20;\n\t"
        "subc.cc.u32 %4, %13, %21;\n\t"
        "subc.cc.u32 %5, %14, %22;\n\t"
        "subc.cc.u32 %6, %15, %23;\n\t"
        "subc.cc.u32 %7, %16, %24;\n\t"
        "subc.u32 %8, 0, 0;"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]), "=&r"(out[4]), "=&r"(out[5]),
          "=&r"(out[6]), "=&r"(out[7]), "=r"(carry)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(b[0]),
          "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]));
  } else if constexpr (kWords == 12) {
    asm("sub.cc.u32 %0, %13, %25;\n\t"
        "subc.cc.u32 %1, %14, %26;\n\t"
        "subc.cc.u32 %2, %15, %27;\n\t"
        "subc.cc.u32 %3, %16, %28;\n\t"
        "subc.cc.u32 %4, %17, %29;\n\t"
        "subc.cc.u32 %5, %18, %30;\n\t"
        "subc.cc.u32 %6, %19, %31;\n\t"
        "subc.cc.u32 %7, %20, %32;\n\t"
        "subc.cc.u32 %8, %21, %33;\n\t"
        "subc.cc.u32 %9, %22, %34;\n\t"
        "subc.cc.u32 %10, %23, %35;\n\t"
        "subc.cc.u32 %11, %24, %36;\n\t"
        "subc.u32 %12, 0, 0;"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]), "=&r"(out[4]), "=&r"(out[5]),
          "=&r"(out[6]), "=&r"(out[7]), "=&r"(out[8]), "=&r"(out[9]), "=&r"(out[10]), "=&r"(out[11]),
          "=r"(carry)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(a[8]),
          "r"(a[9]), "r"(a[10]), "r"(a[11]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]),
          "r"(b[6]), "r"(b[7]), "r"(b[8]), "r"(b[9]), "r"(b[10]), "r"(b[11]));
  } else if constexpr (kWords == 16) {
    asm("sub.cc.u32 %0, %17, %33;\n\t"
        "subc.cc.u32 %1, %18, %34;\n\t"
        "subc.cc.u32 %2, %19, %35;\n\t"
        "subc.cc.u32 %3, %20, %36;\n\t"
        "subc.cc.u32 %4, %21, %37;\n\t"
        "subc.cc.u32 %5, %22, %38;\n\t"
        "subc.cc.u32 %6, %23, %39;\n\t"
        "subc.cc.u32 %7, %24, %40;\n\t"
        "subc.cc.u32 %8, %25, %41;\n\t"
        "subc.cc.u32 %9, %26, %42;\n\t"
        "subc.cc.u32 %10, %27, %43;\n\t"
        "subc.cc.u32 %11, %28, %44;\n\t"
        "subc.cc.u32 %12, %29, %45;\n\t"
        "subc.cc.u32 %13, %30, %46;\n\t"
        "subc.cc.u32 %14, %31, %47;\n\t"
        "subc.cc.u32 %15, %32, %48;\n\t"
        "subc.u32 %16, 0, 0;"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]), "=&r"(out[4]), "=&r"(out[5]),
          "=&r"(out[6]), "=&r"(out[7]), "=&r"(out[8]), "=&r"(out[9]), "=&r"(out[10]), "=&r"(out[11]),
          "=&r"(out[12]), "=&r"(out[13]), "=&r"(out[14]), "=&r"(out[15]), "=r"(carry)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(a[8]),
          "r"(a[9]), "r"(a[10]), "r"(a[11]), "r"(a[12]), "r"(a[13]), "r"(a[14]), "r"(a[15]), "r"(b[0]),
          "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]), "r"(b[8]), "r"(b[9]),
          "r"(b[10]), "r"(b[11]), "r"(b[12]), "r"(b[13]), "r"(b[14]), "r"(b[15]));
  } else if constexpr (kWords == 24) {
    asm("sub.cc.u32 %0, %25, %49;\n\t"
        "subc.cc.u32 %1, %26, %50;\n\t"
        "subc.cc.u32 %2, %27, %51;\n\t"
        "subc.cc.u32 %3, %28, %52;\n\t"
        "subc.cc.u32 %4, %29, %53;\n\t"
        "subc.cc.u32 %5, %30, %54;\n\t"
        "subc.cc.u32 %6, %31, %55;\n\t"
        "subc.cc.u32 %7, %32, %56;\n\t"
        "subc.cc.u32 %8, %33, %57;\n\t"
        "subc.cc.u32 %9, %34, %58;\n\t"
        "subc.cc.u32 %10, %35, %59;\n\t"
        "subc.cc.u32 %11, %36, %60;\n\t"
        "subc.cc.u32 %12, %37, %61;\n\t"
        "subc.cc.u32 %13, %38, %62;\n\t"
        "subc.cc.u32 %14, %39, %63;\n\t"
        "subc.cc.u32 %15, %40, %64;\n\t"
        "subc.cc.u32 %16, %41, %65;\n\t"
        "subc.cc.u32 %17, %42, %66;\n\t"
        "subc.cc.u32 %18, %43, %67;\n\t"
        "subc.cc.u32 %19, %44, %68;\n\t"
        "subc.cc.u32 %20, %45, %69;\n\t"
        "subc.cc.u32 %21, %46, %70;\n\t"
        "subc.cc.u32 %22, %47, %71;\n\t"
        "subc.cc.u32 %23, %48, %72;\n\t"
        "subc.u32 %24, 0, 0;"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]), "=&r"(out[4]), "=&r"(out[5]),
          "=&r"(out[6]), "=&r"(out[7]), "=&r"(out[8]), "=&r"(out[9]), "=&r"(out[10]), "=&r"(out[11]),
          "=&r"(out[12]), "=&r"(out[13]), "=&r"(out[14]), "=&r"(out[15]), "=&r"(out[16]), "=&r"(out[17]),
          "=&r"(out[18]), "=&r"(out[19]), "=&r"(out[20]), "=&r"(out[21]), "=&r"(out[22]), "=&r"(out[23]),
          "=r"(carry)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(a[8]),
          "r"(a[9]), "r"(a[10]), "r"(a[11]), "r"(a[12]), "r"(a[13]), "r"(a[14]), "r"(a[15]), "r"(a[16]),
          "r"(a[17]), "r"(a[18]), "r"(a[19]), "r"(a[20]), "r"(a[21]), "r"(a[22]), "r"(a[23]), "r"(b[0]),
          "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]), "r"(b[8]), "r"(b[9]),
          "r"(b[10]), "r"(b[11]), "r"(b[12]), "r"(b[13]), "r"(b[14]), "r"(b[15]), "r"(b[16]), "r"(b[17]),
          "r"(b[18]), "r"(b[19]), "r"(b[20]), "r"(b[21]), "r"(b[22]), "r"(b[23]));
  }
#else
  std::uint64_t borrow = 0;
  for (int i = 0; i < kWords; ++i) {
    const std::uint64_t difference = static_cast<std::uint64_t>(a[i]) - b[i] - borrow;
    out[i] = static_cast<std::uint32_t>(difference);
    borrow = difference >> 63;
  }
  carry = static_cast<std::uint32_t>(0U - borrow);
#endif
  return carry;
}

}  // namespace baton::device::chain
