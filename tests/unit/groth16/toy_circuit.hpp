#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "shared/formats/proving_key_file.hpp"
#include "shared/groth16/prover_backend.hpp"
#include "shared/math/groth16_types.hpp"
#include "shared/math/roots.hpp"
#include "shared/math/scalar_mul.hpp"
#include "tests/unit/math/random_elements.hpp"

namespace baton {

/// A small constraint system, a witness, and a Groth16 key made from secrets that the
/// test knows. Everything follows the textbook definitions in the exponent: no transform, no multi-scalar
/// multiplication, Lagrange polynomials by their product formula.
///
/// The constraints are x_i * x_i = x_(i + 1); wires are 1, the public ones, then the rest of the chain.
template <class Curve>
class ToyCircuit {
 public:
  using Fr = typename Curve::Fr;

  /// `n_constraints` may be zero. Wire n_public + 1 begins the chain.
  ToyCircuit(std::uint32_t n_constraints, std::uint32_t n_public, std::uint64_t seed)
      : random_(seed), n_constraints_(n_constraints), n_public_(n_public) {
    while (domain_ < n_constraints_ + n_public_ + 1) {
      domain_ *= 2;
      ++log_domain_;
    }
    make_witness();
    make_key();
  }

  [[nodiscard]] const ProvingKeyHeader& header() const { return header_; }
  [[nodiscard]] const VerificationKey<Curve>& verification_key() const { return verification_key_; }
  [[nodiscard]] std::uint32_t domain() const { return domain_; }

  [[nodiscard]] ProvingKeyView view() const {
    return {Curve::kId,
            n_vars(),
            n_public_,
            domain_,
            bytes_of(a_points_),
            bytes_of(b1_points_),
            bytes_of(b2_points_),
            bytes_of(c_points_),
            bytes_of(h_points_)};
  }
  [[nodiscard]] ProofInput input(bool with_c) const {
    return {std::as_bytes(std::span(plain_witness_)), std::as_bytes(std::span(a_)),
            std::as_bytes(std::span(b_)),
            with_c ? std::as_bytes(std::span(c_)) : std::span<const std::byte>()};
  }
  [[nodiscard]] std::vector<Fr> public_signals() const {
    return {witness_.begin() + 1, witness_.begin() + 1 + n_public_};
  }

  /// Makes the witness wrong in its last wire, without evaluating the constraints again.
  void spoil_last_wire() { plain_witness_.back() = (witness_.back() + Fr::one()).to_canonical(); }

 private:
  [[nodiscard]] std::uint32_t n_vars() const { return n_public_ + 2 + n_constraints_; }

  template <class Affine>
  static std::span<const std::byte> bytes_of(const std::vector<Affine>& points) {
    return std::as_bytes(std::span(points));
  }
  static typename Curve::G1Affine g1(const Fr& k) {
    return scalar_mul(Curve::g1_generator(), k.to_canonical()).to_affine();
  }
  static typename Curve::G2Affine g2(const Fr& k) {
    return scalar_mul(Curve::g2_generator(), k.to_canonical()).to_affine();
  }

  void make_witness() {
    witness_.push_back(Fr::one());
    for (std::uint32_t i = 0; i < n_public_; ++i) {
      witness_.push_back(random_element<Fr>(random_));
    }
    witness_.push_back(random_element<Fr>(random_));
    for (std::uint32_t i = 0; i < n_constraints_; ++i) {
      witness_.push_back(witness_.back().square());
    }
    for (const Fr& value : witness_) {
      plain_witness_.push_back(value.to_canonical());
    }
    a_.resize(domain_);
    b_.resize(domain_);
    c_.resize(domain_);
    for (std::uint32_t i = 0; i < n_constraints_; ++i) {
      a_[i] = b_[i] = witness_[n_public_ + 1 + i];
      c_[i] = witness_[n_public_ + 2 + i];
    }
    for (std::uint32_t s = 0; s <= n_public_; ++s) {
      a_[n_constraints_ + s] = witness_[s];
    }
  }

  /// The Lagrange polynomial of points[index], at x.
  static Fr lagrange(const std::vector<Fr>& points, std::size_t index, const Fr& x) {
    Fr numerator = Fr::one();
    Fr denominator = Fr::one();
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (j != index) {
        numerator *= x - points[j];
        denominator *= points[index] - points[j];
      }
    }
    return numerator * denominator.inverse();
  }

  static std::vector<Fr> powers(const Fr& root, std::size_t count) {
    std::vector<Fr> result{Fr::one()};
    while (result.size() < count) {
      result.push_back(result.back() * root);
    }
    return result;
  }

  void make_key() {
    const Fr tau = random_element<Fr>(random_);
    const Fr alpha = random_element<Fr>(random_);
    const Fr beta = random_element<Fr>(random_);
    const Fr delta = random_element<Fr>(random_);
    const auto store1 = [](const typename Curve::G1Affine& point) {
      G1Bytes bytes{};
      point.store(bytes.data());
      return bytes;
    };
    const auto store2 = [](const typename Curve::G2Affine& point) {
      G2Bytes bytes{};
      point.store(bytes.data());
      return bytes;
    };
    header_ = {Curve::kId,        n_vars(),          n_public_,
               domain_,           store1(g1(alpha)), store1(g1(beta)),
               store1(g1(delta)), store2(g2(beta)),  store2(g2(Fr::one())),
               store2(g2(delta))};
    verification_key_ = {g1(alpha), g2(beta), g2(Fr::one()), g2(delta), {}};
    make_columns(tau, alpha, beta, delta.inverse());
    const auto points = powers(root_of_unity<Fr>(log_domain_ + 1), 2 * std::size_t{domain_});
    for (std::size_t i = 0; i < domain_; ++i) {
      h_points_.push_back(g1(lagrange(points, 2 * i + 1, tau) * delta.inverse()));
    }
  }

  void make_columns(const Fr& tau, const Fr& alpha, const Fr& beta, const Fr& inverse_delta) {
    const auto points = powers(root_of_unity<Fr>(log_domain_), domain_);
    std::vector<Fr> a(n_vars());
    std::vector<Fr> b(n_vars());
    std::vector<Fr> c(n_vars());
    for (std::uint32_t i = 0; i < n_constraints_; ++i) {
      const Fr value = lagrange(points, i, tau);
      a[n_public_ + 1 + i] += value;
      b[n_public_ + 1 + i] += value;
      c[n_public_ + 2 + i] += value;
    }
    for (std::uint32_t s = 0; s <= n_public_; ++s) {
      a[s] += lagrange(points, n_constraints_ + s, tau);
    }
    for (std::uint32_t s = 0; s < n_vars(); ++s) {
      a_points_.push_back(g1(a[s]));
      b1_points_.push_back(g1(b[s]));
      b2_points_.push_back(g2(b[s]));
      const Fr k = beta * a[s] + alpha * b[s] + c[s];
      if (s <= n_public_) {
        verification_key_.ic.push_back(g1(k));
      } else {
        c_points_.push_back(g1(k * inverse_delta));
      }
    }
  }

  std::mt19937_64 random_;
  std::uint32_t n_constraints_;
  std::uint32_t n_public_;
  std::uint32_t domain_ = 2;
  unsigned log_domain_ = 1;
  std::vector<Fr> witness_;
  std::vector<BigInt<4>> plain_witness_;
  std::vector<Fr> a_;
  std::vector<Fr> b_;
  std::vector<Fr> c_;
  ProvingKeyHeader header_;
  VerificationKey<Curve> verification_key_;
  std::vector<typename Curve::G1Affine> a_points_;
  std::vector<typename Curve::G1Affine> b1_points_;
  std::vector<typename Curve::G2Affine> b2_points_;
  std::vector<typename Curve::G1Affine> c_points_;
  std::vector<typename Curve::G1Affine> h_points_;
};

}  // namespace baton
