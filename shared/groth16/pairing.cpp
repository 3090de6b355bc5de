#include "shared/groth16/pairing.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include "shared/math/frobenius.hpp"
#include "shared/math/pairing_params.hpp"
#include "shared/math/subgroup.hpp"

namespace baton {
namespace {

/// A point of the twist in homogeneous coordinates (x = X/Z, y = Y/Z), stepping through the Miller loop.
/// Formulas: Costello, Lange, Naehrig, "Faster pairing computations on curves with high-degree twists".
template <class Curve>
class LineWalk {
 public:
  using Fq = typename Curve::Fq;
  using Fq2 = typename Curve::Fq2;
  using Affine = typename Curve::G2Affine;
  using Line = typename G2Lines<Curve>::Line;

  explicit LineWalk(const Affine& start) : x_(start.x), y_(start.y), z_(Fq2::one()) {}

  /// Doubles the point; the tangent.
  Line double_step() {
    static constexpr Fq kHalf = Fq::from_u64(2).inverse();
    const Fq2 a = (x_ * y_) * kHalf;
    const Fq2 b = y_.square();
    const Fq2 c = z_.square();
    const Fq2 e = Curve::g2_b() * (c.doubled() + c);
    const Fq2 f = e.doubled() + e;
    const Fq2 g = (b + f) * kHalf;
    const Fq2 h = (y_ + z_).square() - (b + c);
    const Fq2 xx = x_.square();
    const Fq2 ee = e.square();
    x_ = a * (b - f);
    y_ = g.square() - (ee.doubled() + ee);
    z_ = b * h;
    return {-h, xx.doubled() + xx, e - b};
  }

  /// Adds `other`, which is neither the point nor its opposite; the chord.
  Line add_step(const Affine& other) {
    const Fq2 theta = y_ - other.y * z_;
    const Fq2 lambda = x_ - other.x * z_;
    const Fq2 c = theta.square();
    const Fq2 d = lambda.square();
    const Fq2 e = lambda * d;
    const Fq2 f = z_ * c;
    const Fq2 g = x_ * d;
    const Fq2 h = e + f - g.doubled();
    x_ = lambda * h;
    y_ = theta * (g - h) - e * y_;
    z_ = z_ * e;
    return {lambda, -theta, theta * other.x - lambda * other.y};
  }

 private:
  Fq2 x_;
  Fq2 y_;
  Fq2 z_;
};

template <class Curve>
Fp12<Curve> times_line(const Fp12<Curve>& f, const typename G2Lines<Curve>::Line& line,
                       const typename Curve::G1Affine& p) {
  if constexpr (PairingParams<Curve>::kTwist == Twist::kDivides) {
    return f.times_034(line.at_y * p.y, line.at_x * p.x, line.fixed);
  } else {
    return f.times_014(line.fixed, line.at_x * p.x, line.at_y * p.y);
  }
}

/// value^|x| in the cyclotomic subgroup.
template <class Curve>
Fp12<Curve> power_of_abs_x(const Fp12<Curve>& value) {
  constexpr auto kDigits = non_adjacent_form<66>(Uint128{PairingParams<Curve>::kX});
  const Fp12<Curve> inverse = value.conjugate();
  Fp12<Curve> result = Fp12<Curve>::one();
  bool started = false;
  for (std::size_t i = kDigits.size(); i > 0; --i) {
    if (started) {
      result = result.cyclotomic_square();
    }
    if (const int digit = kDigits[i - 1]; digit != 0) {
      result = started ? result * (digit > 0 ? value : inverse) : value;
      started = true;
    }
  }
  return result;
}

/// value^((q^6 - 1) (q^2 + 1)), which is in the cyclotomic subgroup.
template <class Curve>
Fp12<Curve> easy_part(const Fp12<Curve>& value) {
  const Fp12<Curve> f = value.conjugate() * value.inverse();
  return f.frobenius().frobenius() * f;
}

/// f^(2 x (6 x^2 + 3 x + 1) (q^4 - q^2 + 1) / r), by the addition chain of Fuentes-Castaneda, Knapp and
/// Rodriguez-Henriquez, "Faster hashing to G2".
Fp12<Bn254> hard_part(const Fp12<Bn254>& f) {
  using F = Fp12<Bn254>;
  const auto power_of_minus_x = [](const F& value) { return power_of_abs_x(value).conjugate(); };
  const F b = power_of_minus_x(f).cyclotomic_square();
  const F d = b.cyclotomic_square() * b;
  const F e = power_of_minus_x(d);
  const F g = power_of_minus_x(e.cyclotomic_square());
  const F k = g.conjugate() * e * d.conjugate();
  const F l = k * b;
  const F p = l.frobenius() * (k * e * f);
  const F r = k.frobenius().frobenius() * p;
  return (f.conjugate() * l).frobenius().frobenius().frobenius() * r;
}

/// f^(3 (q^4 - q^2 + 1) / r) = f^((x - 1)^2 (x + q) (x^2 + q^2 - 1) + 3), by Hayashida, Hayasaka and Teruya,
/// "Efficient final exponentiation via cyclotomic structure".
Fp12<Bls12_381> hard_part(const Fp12<Bls12_381>& f) {
  using F = Fp12<Bls12_381>;
  const auto power_of_x = [](const F& value) { return power_of_abs_x(value).conjugate(); };
  const auto power_of_x_minus_1 = [&](const F& value) { return power_of_x(value) * value.conjugate(); };
  const F a = power_of_x_minus_1(power_of_x_minus_1(f));
  const F b = power_of_x(a) * a.frobenius();
  const F c = power_of_x(power_of_x(b)) * b.frobenius().frobenius() * b.conjugate();
  return c * f.cyclotomic_square() * f;
}

}  // namespace

template <class Curve>
G2Lines<Curve>::G2Lines(const typename Curve::G2Affine& point) {
  if (point.is_infinity()) {
    return;
  }
  constexpr const auto& kLoop = PairingParams<Curve>::kLoop;
  lines_.reserve(kLoop.size() * 2);
  LineWalk<Curve> walk(point);
  for (std::size_t i = kLoop.size() - 1; i > 0; --i) {
    lines_.push_back(walk.double_step());
    if (const int digit = kLoop[i - 1]; digit != 0) {
      lines_.push_back(walk.add_step(digit > 0 ? point : -point));
    }
  }
  if constexpr (Curve::kId == CurveId::kBn254) {
    const auto once = twist_frobenius<Curve>(point);
    lines_.push_back(walk.add_step(once));
    lines_.push_back(walk.add_step(-twist_frobenius<Curve>(once)));
  }
}

template <class Curve>
Fp12<Curve> miller_loop(std::span<const PairingTerm<Curve>> terms) {
  constexpr const auto& kLoop = PairingParams<Curve>::kLoop;
  Fp12<Curve> f = Fp12<Curve>::one();
  std::size_t next = 0;
  const auto multiply_lines = [&] {
    for (const PairingTerm<Curve>& term : terms) {
      if (!term.q->lines().empty() && !term.p.is_infinity()) {
        f = times_line(f, term.q->lines()[next], term.p);
      }
    }
    ++next;
  };
  for (std::size_t i = kLoop.size() - 1; i > 0; --i) {
    f = f.square();
    multiply_lines();
    if (kLoop[i - 1] != 0) {
      multiply_lines();
    }
  }
  if constexpr (Curve::kId == CurveId::kBn254) {
    multiply_lines();
    multiply_lines();
  }
  return PairingParams<Curve>::kXIsNegative ? f.conjugate() : f;
}

template <class Curve>
Fp12<Curve> final_exponentiation(const Fp12<Curve>& value) {
  return hard_part(easy_part(value));
}

template <class Curve>
Fp12<Curve> pairing(const typename Curve::G1Affine& p, const typename Curve::G2Affine& q) {
  const G2Lines<Curve> lines(q);
  const std::array<PairingTerm<Curve>, 1> terms{{{p, &lines}}};
  return final_exponentiation(miller_loop(std::span<const PairingTerm<Curve>>(terms)));
}

template class G2Lines<Bn254>;
template class G2Lines<Bls12_381>;
template Fp12<Bn254> miller_loop(std::span<const PairingTerm<Bn254>>);
template Fp12<Bls12_381> miller_loop(std::span<const PairingTerm<Bls12_381>>);
template Fp12<Bn254> final_exponentiation(const Fp12<Bn254>&);
template Fp12<Bls12_381> final_exponentiation(const Fp12<Bls12_381>&);
template Fp12<Bn254> pairing<Bn254>(const Bn254::G1Affine&, const Bn254::G2Affine&);
template Fp12<Bls12_381> pairing<Bls12_381>(const Bls12_381::G1Affine&, const Bls12_381::G2Affine&);

}  // namespace baton
