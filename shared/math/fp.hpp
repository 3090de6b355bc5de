#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "shared/math/big_int.hpp"
#include "shared/math/fp_constants.hpp"
#include "shared/math/fp_portable.hpp"
#include "shared/math/fp_x86.hpp"
#include "shared/math/modular_inverse.hpp"

// The one place where the device gets its own bodies of field arithmetic.
#if defined(__CUDACC__) && __has_include("cuda/field/fp_ptx.cuh")
#include "cuda/field/fp_ptx.cuh"
#define BATON_DEVICE_FIELD 1
#endif

// Operations of host code with bodies of its own are inlined whatever their size (see fp_x86.hpp).
#if defined(BATON_X86_FIELD) && !defined(__CUDACC__)
#define BATON_FIELD_OPERATION [[gnu::always_inline]] inline
#else
#define BATON_FIELD_OPERATION BATON_HOST_DEVICE
#endif

namespace baton {

/// An element of the prime field of Params, in Montgomery form and always fully reduced, so equal elements
/// have equal bytes. The bytes are those of .zkey files: little-endian limbs. One class for host and device;
/// compile-time evaluation works too. Not constant-time as a promise, though no operation except inverse()
/// and pow() branches on values.
template <class P>
class alignas(16) Fp {
 public:
  using Params = P;
  using Constants = FpConstants<Params>;
  static constexpr std::size_t kLimbs = Params::kLimbs;  ///< of 64 bits
  static constexpr std::size_t kBytes = kLimbs * 8;
  using Int = BigInt<kLimbs>;

  /// Zero.
  Fp() = default;

  BATON_HOST_DEVICE static constexpr Fp zero() { return Fp(Int{}); }
  BATON_HOST_DEVICE static constexpr Fp one() {
    constexpr Int kOne = Constants::power_of_two(Int::kBits);
    return Fp(kOne);
  }
  BATON_HOST_DEVICE static constexpr Int modulus() { return Params::modulus(); }

  BATON_HOST_DEVICE static constexpr Fp from_u64(std::uint64_t value) {
    return from_canonical_unchecked(Int::from_u64(value));
  }

  /// Nothing when `value` is not less than the modulus.
  static constexpr std::optional<Fp> from_canonical(const Int& value) {
    if (!(value < modulus())) {
      return std::nullopt;
    }
    return from_canonical_unchecked(value);
  }

  /// `value` must be less than the modulus.
  BATON_HOST_DEVICE static constexpr Fp from_canonical_unchecked(const Int& value) {
    constexpr Int kR2 = Constants::power_of_two(2 * Int::kBits);
    return Fp(value) * Fp(kR2);
  }

  /// Takes limbs that are a reduced Montgomery form already.
  BATON_HOST_DEVICE static constexpr Fp from_montgomery_limbs(const Int& limbs) { return Fp(limbs); }

  /// The element whose kBytes Montgomery bytes stand at `bytes` (any alignment); they must be reduced.
  static Fp load(const std::byte* bytes) {
    Fp result;
    std::memcpy(&result.value_, bytes, kBytes);
    return result;
  }
  void store(std::byte* bytes) const { std::memcpy(bytes, &value_, kBytes); }

  /// False only for bytes that were taken from outside and are not below the modulus.
  BATON_HOST_DEVICE constexpr bool is_reduced() const { return value_ < modulus(); }

  /// The Montgomery limbs.
  BATON_HOST_DEVICE constexpr const Int& limbs() const { return value_; }

  BATON_HOST_DEVICE constexpr Int to_canonical() const { return (*this * Fp(Int::from_u64(1))).value_; }

  BATON_HOST_DEVICE constexpr bool is_zero() const { return value_.is_zero(); }

  BATON_HOST_DEVICE friend constexpr bool operator==(const Fp& a, const Fp& b) {
    return a.value_ == b.value_;
  }

  BATON_FIELD_OPERATION friend constexpr Fp operator+(const Fp& a, const Fp& b) {
    Fp result;
    add(result.value_, a.value_, b.value_);
    return result;
  }
  BATON_FIELD_OPERATION friend constexpr Fp operator-(const Fp& a, const Fp& b) {
    Fp result;
    sub(result.value_, a.value_, b.value_);
    return result;
  }
  BATON_FIELD_OPERATION friend constexpr Fp operator*(const Fp& a, const Fp& b) {
    Fp result;
    mul(result.value_, a.value_, b.value_);
    return result;
  }
  BATON_FIELD_OPERATION constexpr Fp operator-() const { return zero() - *this; }
  BATON_FIELD_OPERATION constexpr Fp& operator+=(const Fp& other) {
    add(value_, value_, other.value_);
    return *this;
  }
  BATON_FIELD_OPERATION constexpr Fp& operator-=(const Fp& other) {
    sub(value_, value_, other.value_);
    return *this;
  }
  BATON_FIELD_OPERATION constexpr Fp& operator*=(const Fp& other) {
    mul(value_, value_, other.value_);
    return *this;
  }
  /// This, or minus this if `negative`; branch-free.
  BATON_FIELD_OPERATION constexpr Fp negated_if(bool negative) const {
    const Fp minus = -*this;
    const std::uint64_t mask = 0 - std::uint64_t{negative};
    Fp result;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      result.value_.limbs[i] = value_.limbs[i] ^ ((value_.limbs[i] ^ minus.value_.limbs[i]) & mask);
    }
    return result;
  }
  /// a * b + c * d for the price of less than two products, where the machine has a body for it.
  BATON_FIELD_OPERATION static constexpr Fp sum_of_products(const Fp& a, const Fp& b, const Fp& c,
                                                            const Fp& d) {
#if !defined(__CUDA_ARCH__) && defined(BATON_X86_FIELD)
    if (!__builtin_is_constant_evaluated()) {
      Fp result;
      x86::sum_of_products<Params>(result.value_, a.value_, b.value_, c.value_, d.value_);
      return result;
    }
#endif
    return a * b + c * d;
  }
  BATON_FIELD_OPERATION constexpr Fp square() const {
    Fp result;
    sqr(result.value_, value_);
    return result;
  }
  BATON_FIELD_OPERATION constexpr Fp doubled() const {
    return *this + *this;
  }

  /// This to the power of `exponent`; zero to the zeroth is one.
  template <std::size_t N>
  BATON_HOST_DEVICE constexpr Fp pow(const BigInt<N>& exponent) const {
    Fp result = one();
    for (std::size_t i = exponent.bit_length(); i > 0; --i) {
      result = result.square();
      if (exponent.bit(i - 1)) {
        result = result * *this;
      }
    }
    return result;
  }

  /// The multiplicative inverse; zero for zero.
  BATON_HOST_DEVICE constexpr Fp inverse() const {
#ifndef __CUDA_ARCH__
    if (!__builtin_is_constant_evaluated()) {
      constexpr Int kR3 = Constants::power_of_two(3 * Int::kBits);
      return Fp(ModularInverse<Params>::of(value_)) * Fp(kR3);
    }
#endif
    constexpr Int kExponent = Constants::minus_small(2);
    return pow(kExponent);
  }

 private:
  BATON_HOST_DEVICE explicit constexpr Fp(const Int& limbs) : value_(limbs) {}

  BATON_FIELD_OPERATION static constexpr void add(Int& out, const Int& a, const Int& b) {
#if defined(__CUDA_ARCH__) && defined(BATON_DEVICE_FIELD)
    if (!__builtin_is_constant_evaluated()) {
      Int result;
      device::fp_add<Params>(words(result), words(a), words(b));
      out = result;
      return;
    }
#elif !defined(__CUDA_ARCH__) && defined(BATON_X86_FIELD)
    if (!__builtin_is_constant_evaluated()) {
      x86::add<Params>(out, a, b);
      return;
    }
#endif
    out = portable::add<Params>(a, b);
  }

  BATON_FIELD_OPERATION static constexpr void sub(Int& out, const Int& a, const Int& b) {
#if defined(__CUDA_ARCH__) && defined(BATON_DEVICE_FIELD)
    if (!__builtin_is_constant_evaluated()) {
      Int result;
      device::fp_sub<Params>(words(result), words(a), words(b));
      out = result;
      return;
    }
#elif !defined(__CUDA_ARCH__) && defined(BATON_X86_FIELD)
    if (!__builtin_is_constant_evaluated()) {
      x86::sub<Params>(out, a, b);
      return;
    }
#endif
    out = portable::sub<Params>(a, b);
  }

  BATON_FIELD_OPERATION static constexpr void mul(Int& out, const Int& a, const Int& b) {
#if defined(__CUDA_ARCH__) && defined(BATON_DEVICE_FIELD)
    if (!__builtin_is_constant_evaluated()) {
      Int result;
      device::fp_mul<Params>(words(result), words(a), words(b));
      out = result;
      return;
    }
#elif !defined(__CUDA_ARCH__) && defined(BATON_X86_FIELD)
    if (!__builtin_is_constant_evaluated()) {
      x86::mul<Params>(out, a, b);
      return;
    }
#endif
    out = portable::mul<Params>(a, b);
  }

  BATON_FIELD_OPERATION static constexpr void sqr(Int& out, const Int& a) {
#if defined(__CUDA_ARCH__) && defined(BATON_DEVICE_FIELD)
    if (!__builtin_is_constant_evaluated()) {
      Int result;
      device::fp_sqr<Params>(words(result), words(a));
      out = result;
      return;
    }
#endif
    mul(out, a, a);
  }

  BATON_HOST_DEVICE static std::uint32_t* words(Int& value) {
    return reinterpret_cast<std::uint32_t*>(value.limbs);
  }
  BATON_HOST_DEVICE static const std::uint32_t* words(const Int& value) {
    return reinterpret_cast<const std::uint32_t*>(value.limbs);
  }

  Int value_;
};

}  // namespace baton

#undef BATON_FIELD_OPERATION
