#include "cuda/prover/self_test.hpp"

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "shared/math/roots.hpp"
#include "shared/math/scalar_mul.hpp"

namespace baton {

namespace {

constexpr KeyId kSelfTestKey = std::numeric_limits<KeyId>::max();
constexpr std::uint32_t kWires = 75;
constexpr std::uint32_t kPublic = 2;
constexpr unsigned kLogSize = 6;
constexpr std::uint32_t kSize = 1U << kLogSize;

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

/// Multiples first * G, (first + 1) * G, ...; every seventh is infinity instead when `gaps`.
template <class Affine>
struct Points {
  std::vector<Affine> points;
  std::uint64_t first;
  bool gaps;

  Points(const Affine& generator, std::uint64_t first_multiple, std::size_t count, bool with_gaps)
      : first(first_multiple), gaps(with_gaps) {
    auto multiple = scalar_mul(generator, BigInt<4>::from_u64(first));
    for (std::size_t i = 0; i < count; ++i) {
      points.push_back(is_gap(i) ? Affine::infinity() : multiple.to_affine());
      multiple = multiple + generator;
    }
  }
  [[nodiscard]] bool is_gap(std::size_t i) const { return gaps && i % 7 == 3; }

  /// The factor of the generator in the sum of scalars[offset + i] * points[i].
  template <class Fr>
  [[nodiscard]] Fr sum(const std::vector<Fr>& scalars, std::size_t offset) const {
    Fr total = Fr::zero();
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!is_gap(i)) {
        total += scalars[offset + i] * Fr::from_u64(first + i);
      }
    }
    return total;
  }
};

/// A made-up proof: nothing in it satisfies anything, the sums are defined all the same.
template <class Curve>
class KnownProof {
 public:
  using Fr = typename Curve::Fr;

  KnownProof()
      : a_(Curve::g1_generator(), 1000, kWires, true),
        b1_(Curve::g1_generator(), 2000, kWires, true),
        b2_(Curve::g2_generator(), 2000, kWires, true),
        c_(Curve::g1_generator(), 3000, kWires - kPublic - 1, false),
        h_(Curve::g1_generator(), 4000, kSize, false) {
    Fr power = Fr::from_u64(0x9e3779b97f4a7c15U);
    const auto next = [&] { return power = power.square() + Fr::one(); };
    for (std::uint32_t i = 0; i < kWires; ++i) {
      w_.push_back(i % 3 == 0 ? Fr::from_u64(i % 2) : (i % 3 == 1 ? -Fr::from_u64(i) : next()));
      canonical_.push_back(w_.back().to_canonical());
    }
    for (std::uint32_t i = 0; i < kSize; ++i) {
      va_.push_back(next());
      vb_.push_back(next());
    }
  }

  [[nodiscard]] ProvingKeyView key() const {
    return {Curve::kId,
            kWires,
            kPublic,
            kSize,
            bytes_of(a_.points),
            bytes_of(b1_.points),
            bytes_of(b2_.points),
            bytes_of(c_.points),
            bytes_of(h_.points)};
  }
  [[nodiscard]] ProofInput input() const { return {bytes_of(canonical_), bytes_of(va_), bytes_of(vb_), {}}; }

  [[nodiscard]] ProofSums expected() const {
    ProofSums sums;
    store(Curve::g1_generator(), a_.sum(w_, 0), sums.a);
    store(Curve::g1_generator(), b1_.sum(w_, 0), sums.b1);
    store(Curve::g2_generator(), b2_.sum(w_, 0), sums.b2);
    store(Curve::g1_generator(), c_.sum(w_, kPublic + 1) + h_.sum(quotient(), 0), sums.ch);
    return sums;
  }

 private:
  template <class Affine, class Bytes>
  static void store(const Affine& generator, const Fr& factor, Bytes& to) {
    const Affine point = scalar_mul(generator, factor.to_canonical()).to_affine();
    std::memcpy(to.data(), &point, sizeof point);
  }

  /// The polynomial with these values at the domain, at z outside of it: (z^n - 1)/n sum x_j w^j / (z - w^j).
  static Fr interpolate(const std::vector<Fr>& values, const Fr& z) {
    const Fr root = root_of_unity<Fr>(kLogSize);
    Fr power = Fr::one();
    Fr sum = Fr::zero();
    for (const Fr& value : values) {
      sum += value * power * (z - power).inverse();
      power *= root;
    }
    const Fr vanishing = z.pow(BigInt<1>::from_u64(kSize)) - Fr::one();
    return vanishing * Fr::from_u64(kSize).inverse() * sum;
  }

  [[nodiscard]] std::vector<Fr> quotient() const {
    std::vector<Fr> vc;
    for (std::uint32_t i = 0; i < kSize; ++i) {
      vc.push_back(va_[i] * vb_[i]);
    }
    std::vector<Fr> h;
    const Fr odd_root = root_of_unity<Fr>(kLogSize + 1);
    for (std::uint32_t i = 0; i < kSize; ++i) {
      const Fr z = odd_root.pow(BigInt<1>::from_u64(2 * i + 1));
      h.push_back(interpolate(va_, z) * interpolate(vb_, z) - interpolate(vc, z));
    }
    return h;
  }

  Points<typename Curve::G1Affine> a_;
  Points<typename Curve::G1Affine> b1_;
  Points<typename Curve::G2Affine> b2_;
  Points<typename Curve::G1Affine> c_;
  Points<typename Curve::G1Affine> h_;
  std::vector<Fr> w_;
  std::vector<BigInt<4>> canonical_;
  std::vector<Fr> va_;
  std::vector<Fr> vb_;
};

template <class Curve>
Status test_curve(ProverBackend& backend) {
  const KnownProof<Curve> known;
  const ProofSums expected = known.expected();
  BATON_RETURN_IF_ERROR(backend.load_key(kSelfTestKey, known.key()));
  Status outcome;
  for (unsigned i = 0; i < 2 && outcome.is_ok(); ++i) {
    ProofTimings timings;
    const Result<ProofSums> sums = backend.prove(
        0, kSelfTestKey, known.input(), [] {}, timings);
    if (!sums.is_ok()) {
      outcome = sums.status();
    } else if (!(*sums == expected)) {
      outcome = {StatusCode::kGpuSticky,
                 std::string("self-test: the device gives wrong sums on ") + Curve::kName};
    }
  }
  backend.drop_key(kSelfTestKey);
  return outcome;
}

}  // namespace

Status run_self_test(ProverBackend& backend) {
  BATON_RETURN_IF_ERROR(test_curve<Bn254>(backend));
  return test_curve<Bls12_381>(backend);
}

}  // namespace baton
