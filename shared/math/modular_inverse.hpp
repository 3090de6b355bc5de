#pragma once

#include <cstddef>
#include <cstdint>

#include "shared/math/big_int.hpp"

namespace baton {

/// The inverse of `value` modulo the odd prime P::modulus(), both plain integers; zero for zero. The division
/// steps of Bernstein and Yang, 62 at a time; the time depends on the value. About a tenth of the time of an
/// exponentiation. Host only.
template <class P>
class ModularInverse {
 public:
  using Int = BigInt<P::kLimbs>;

  static Int of(const Int& value) {
    Signed d{};
    Signed e{};
    e.limbs[0] = 1;
    Signed f = split(P::modulus());
    Signed g = split(value);
    std::int64_t eta = -1;
    while (!g.is_zero()) {
      const Steps steps =
          divide_62(eta, static_cast<std::uint64_t>(f.limbs[0]), static_cast<std::uint64_t>(g.limbs[0]));
      update_de(d, e, steps);
      update_fg(f, g, steps);
    }
    return normalised(d, f.limbs[kSigned - 1] < 0);
  }

 private:
  __extension__ typedef __int128 Int128;
  static constexpr std::uint64_t kMask = (std::uint64_t{1} << 62) - 1;
  static constexpr std::size_t kSigned = P::kLimbs * 64 / 62 + 1;

  /// A signed number in limbs of 62 bits, all but the last non-negative.
  struct Signed {
    std::int64_t limbs[kSigned];

    [[nodiscard]] bool is_zero() const {
      std::int64_t any = 0;
      for (const std::int64_t limb : limbs) {
        any |= limb;
      }
      return any == 0;
    }
  };

  /// 62 division steps as a matrix: 2^62 (f, g) becomes (u f + v g, q f + r g).
  struct Steps {
    std::int64_t u, v, q, r;
  };

  static constexpr Signed split(const Int& value) {
    Signed result{};
    for (std::size_t i = 0; i < kSigned; ++i) {
      result.limbs[i] = static_cast<std::int64_t>(value.bits(62 * i, 62));
    }
    return result;
  }

  static constexpr Signed kModulus = split(P::modulus());

  /// p^-1 modulo 2^62.
  static constexpr std::uint64_t kInverse62 = [] {
    const std::uint64_t p0 = P::modulus().limbs[0];
    std::uint64_t inverse = 1;
    for (int i = 0; i < 6; ++i) {
      inverse *= 2 - p0 * inverse;
    }
    return inverse & kMask;
  }();

  static Steps divide_62(std::int64_t& eta, std::uint64_t f, std::uint64_t g) {
    std::uint64_t u = 1;
    std::uint64_t v = 0;
    std::uint64_t q = 0;
    std::uint64_t r = 1;
    int left = 62;
    for (;;) {
      const int zeros = __builtin_ctzll(g | (~std::uint64_t{0} << left));
      g >>= zeros;
      u <<= zeros;
      v <<= zeros;
      eta -= zeros;
      left -= zeros;
      if (left == 0) {
        break;
      }
      std::uint64_t w = 0;
      if (eta < 0) {
        eta = -eta;
        exchange(f, g);
        exchange(u, q);
        exchange(v, r);
        // Clears up to six low bits of g: w = -g / f modulo 2^6.
        w = (f * g * (f * f - 2)) & low_bits(eta, left, 63);
      } else {
        w = (0 - (f + (((f + 1) & 4) << 1)) * g) & low_bits(eta, left, 15);
      }
      g += f * w;
      q += u * w;
      r += v * w;
    }
    return {static_cast<std::int64_t>(u), static_cast<std::int64_t>(v), static_cast<std::int64_t>(q),
            static_cast<std::int64_t>(r)};
  }

  static void exchange(std::uint64_t& a, std::uint64_t& b) {
    const std::uint64_t old = a;
    a = b;
    b = 0 - old;
  }

  static std::uint64_t low_bits(std::int64_t eta, int left, std::uint64_t at_most) {
    const int limit = static_cast<int>(eta) + 1 > left ? left : static_cast<int>(eta) + 1;
    return (~std::uint64_t{0} >> (64 - limit)) & at_most;
  }

  /// (d, e) = steps (d, e) / 2^62 modulo p; both stay in (-2p, p).
  static void update_de(Signed& d, Signed& e, const Steps& t) {
    const std::int64_t d_sign = d.limbs[kSigned - 1] >> 63;
    const std::int64_t e_sign = e.limbs[kSigned - 1] >> 63;
    std::int64_t md = (t.u & d_sign) + (t.v & e_sign);
    std::int64_t me = (t.q & d_sign) + (t.r & e_sign);
    Int128 cd = Int128{t.u} * d.limbs[0] + Int128{t.v} * e.limbs[0];
    Int128 ce = Int128{t.q} * d.limbs[0] + Int128{t.r} * e.limbs[0];
    md -= multiple(cd, md);
    me -= multiple(ce, me);
    cd = (cd + Int128{kModulus.limbs[0]} * md) >> 62;
    ce = (ce + Int128{kModulus.limbs[0]} * me) >> 62;
    for (std::size_t i = 1; i < kSigned; ++i) {
      cd += Int128{t.u} * d.limbs[i] + Int128{t.v} * e.limbs[i] + Int128{kModulus.limbs[i]} * md;
      ce += Int128{t.q} * d.limbs[i] + Int128{t.r} * e.limbs[i] + Int128{kModulus.limbs[i]} * me;
      d.limbs[i - 1] = take_limb(cd);
      e.limbs[i - 1] = take_limb(ce);
    }
    d.limbs[kSigned - 1] = static_cast<std::int64_t>(cd);
    e.limbs[kSigned - 1] = static_cast<std::int64_t>(ce);
  }

  /// What must be taken from `m` so that c + m p is a multiple of 2^62.
  static std::int64_t multiple(Int128 c, std::int64_t m) {
    return static_cast<std::int64_t>(
        (kInverse62 * static_cast<std::uint64_t>(c) + static_cast<std::uint64_t>(m)) & kMask);
  }

  static std::int64_t take_limb(Int128& c) {
    const auto limb = static_cast<std::int64_t>(static_cast<std::uint64_t>(c) & kMask);
    c >>= 62;
    return limb;
  }

  /// (f, g) = steps (f, g) / 2^62, which is exact.
  static void update_fg(Signed& f, Signed& g, const Steps& t) {
    Int128 cf = Int128{t.u} * f.limbs[0] + Int128{t.v} * g.limbs[0];
    Int128 cg = Int128{t.q} * f.limbs[0] + Int128{t.r} * g.limbs[0];
    cf >>= 62;
    cg >>= 62;
    for (std::size_t i = 1; i < kSigned; ++i) {
      cf += Int128{t.u} * f.limbs[i] + Int128{t.v} * g.limbs[i];
      cg += Int128{t.q} * f.limbs[i] + Int128{t.r} * g.limbs[i];
      f.limbs[i - 1] = take_limb(cf);
      g.limbs[i - 1] = take_limb(cg);
    }
    f.limbs[kSigned - 1] = static_cast<std::int64_t>(cf);
    g.limbs[kSigned - 1] = static_cast<std::int64_t>(cg);
  }

  /// d, or -d where `negate`, brought from (-2p, 2p) into [0, p).
  static Int normalised(Signed d, bool negate) {
    if (negate) {
      for (std::int64_t& limb : d.limbs) {
        limb = -limb;
      }
    }
    add_modulus(d, 0);
    while (d.limbs[kSigned - 1] < 0) {
      add_modulus(d, 1);
    }
    Int result;
    for (std::size_t i = 0; i < kSigned; ++i) {
      const auto limb = static_cast<std::uint64_t>(d.limbs[i]);
      const std::size_t word = 62 * i / 64;
      const std::size_t shift = 62 * i % 64;
      if (word < P::kLimbs) {
        result.limbs[word] |= limb << shift;
      }
      if (shift > 2 && word + 1 < P::kLimbs) {
        result.limbs[word + 1] |= limb >> (64 - shift);
      }
    }
    while (!(result < P::modulus())) {
      sub_with_borrow(result, result, P::modulus());
    }
    return result;
  }

  /// d += times p, carried.
  static void add_modulus(Signed& d, std::int64_t times) {
    std::int64_t carry = 0;
    for (std::size_t i = 0; i + 1 < kSigned; ++i) {
      const std::int64_t limb = d.limbs[i] + times * kModulus.limbs[i] + carry;
      d.limbs[i] = limb & static_cast<std::int64_t>(kMask);
      carry = limb >> 62;
    }
    d.limbs[kSigned - 1] += times * kModulus.limbs[kSigned - 1] + carry;
  }
};

}  // namespace baton
