#pragma once

#include <sys/mman.h>

#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include "shared/formats/proving_key_file.hpp"
#include "shared/groth16/prover_backend.hpp"
#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"
#include "shared/math/groth16_types.hpp"
#include "shared/math/scalar_mul.hpp"
#include "tests/fixture/key_points.hpp"
#include "tests/fixture/parallel.hpp"
#include "tests/fixture/shapes.hpp"

namespace baton::test {

/// Page-aligned zeroed memory, as slots are.
class Pages {
 public:
  explicit Pages(std::size_t bytes) : size_((bytes + 4095) / 4096 * 4096) {
    void* mapped = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    data_ = mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() { (void)munmap(data_, size_); }

  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return {data_, size_}; }

 private:
  std::size_t size_;
  std::byte* data_;
};

/// A circuit with a throw-away key whose secrets are known, so that the sums of its proof follow from a few
/// sums of scalars, without any transform or sum of points.
template <class Curve>
class KnownProof {
 public:
  using Fr = typename Curve::Fr;

  KnownProof(fixture::Shape shape, std::size_t constraints, std::uint32_t n_public, std::uint64_t seed)
      : circuit_(fixture::make_circuit<Fr>(shape, constraints, n_public, seed)),
        slot_((circuit_.n_vars() + std::size_t{3} * circuit_.domain_size()) * 32 + std::size_t{4} * 4096) {
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    const auto trapdoor = fixture::Trapdoor<Fr>::from_seed(seed);
    const auto scalars = fixture::key_scalars(circuit_, trapdoor, threads);
    points_ = fixture::key_points<Curve>(scalars, trapdoor, threads);
    fill_slot(threads);
    expect(scalars, trapdoor);
  }

  [[nodiscard]] ProvingKeyView key() const {
    return {Curve::kId,       circuit_.n_vars(), circuit_.n_public, circuit_.domain_size(), view(points_.a),
            view(points_.b1), view(points_.b2),  view(points_.c),   view(points_.h)};
  }
  [[nodiscard]] ProofInput input(bool derive_c) const {
    return {w_, a_, b_, derive_c ? std::span<std::byte>() : c_};
  }
  [[nodiscard]] std::span<const std::byte> slot() const { return slot_.bytes(); }
  [[nodiscard]] std::span<std::byte> slot() { return slot_.bytes(); }
  [[nodiscard]] const ProofSums& expected() const { return expected_; }

  /// What the host keeps of the key, to assemble and verify proofs.
  [[nodiscard]] ProvingKeyHeader header() const {
    ProvingKeyHeader header;
    header.curve = Curve::kId;
    header.n_vars = circuit_.n_vars();
    header.n_public = circuit_.n_public;
    header.domain_size = circuit_.domain_size();
    copy(points_.alpha1, header.alpha1);
    copy(points_.beta1, header.beta1);
    copy(points_.delta1, header.delta1);
    copy(points_.beta2, header.beta2);
    copy(points_.generator2, header.gamma2);
    copy(points_.delta2, header.delta2);
    return header;
  }
  [[nodiscard]] VerificationKey<Curve> verification_key() const {
    return {points_.alpha1, points_.beta2, points_.generator2, points_.delta2, points_.ic};
  }
  [[nodiscard]] std::span<const Fr> publics() const {
    return std::span(circuit_.witness).subspan(1, circuit_.n_public);
  }

 private:
  template <class T>
  static std::span<const std::byte> view(const std::vector<T>& values) {
    return std::as_bytes(std::span(values));
  }

  static Fr row(const fixture::SparseMatrix<Fr>& matrix, std::size_t j, const std::vector<Fr>& witness) {
    Fr sum = Fr::zero();
    for (std::size_t i = matrix.row_begin[j]; i < matrix.row_begin[j + 1]; ++i) {
      sum += matrix.values[i] * witness[matrix.wires[i]];
    }
    return sum;
  }

  void fill_slot(unsigned threads) {
    std::span<std::byte> rest = slot_.bytes();
    const auto take = [&](std::size_t elements) {
      const std::size_t bytes = elements * 32;
      const std::span<std::byte> section = rest.first(bytes);
      rest = rest.subspan((bytes + 4095) / 4096 * 4096);
      return section;
    };
    const std::size_t size = circuit_.domain_size();
    w_ = take(circuit_.n_vars());
    a_ = take(size);
    b_ = take(size);
    c_ = take(size);
    const auto& witness = circuit_.witness;
    fixture::parallel_for(witness.size(), 4096, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto canonical = witness[i].to_canonical();
        std::memcpy(&w_[i * 32], &canonical, 32);
      }
    });
    fixture::parallel_for(circuit_.constraints(), 4096, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin; j < end; ++j) {
        row(circuit_.a, j, witness).store(&a_[j * 32]);
        row(circuit_.b, j, witness).store(&b_[j * 32]);
        row(circuit_.c, j, witness).store(&c_[j * 32]);
      }
    });
    for (std::size_t s = 0; s <= circuit_.n_public; ++s) {
      witness[s].store(&a_[(circuit_.constraints() + s) * 32]);
    }
  }

  static Fr dot(const std::vector<Fr>& x, std::span<const Fr> y) {
    Fr sum = Fr::zero();
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += x[i] * y[i];
    }
    return sum;
  }

  template <class Affine, class Bytes>
  static void copy(const Affine& point, Bytes& to) {
    std::memcpy(to.data(), &point, sizeof point);
  }
  template <class Affine, class Bytes>
  static void store(const Affine& generator, const Fr& factor, Bytes& to) {
    copy(Affine(scalar_mul(generator, factor.to_canonical()).to_affine()), to);
  }

  /// With A = A(tau) and so on: h's sum is (A B - C) / delta, and C follows from all K.
  void expect(const fixture::KeyScalars<Fr>& scalars, const fixture::Trapdoor<Fr>& trapdoor) {
    const std::span<const Fr> w = circuit_.witness;
    const Fr a = dot(scalars.a, w);
    const Fr b = dot(scalars.b, w);
    const Fr l = dot(scalars.c, w.subspan(circuit_.n_public + 1));
    const Fr k = dot(scalars.ic, w) + l * trapdoor.delta;
    const Fr c = k - trapdoor.beta * a - trapdoor.alpha * b;
    store(Curve::g1_generator(), a, expected_.a);
    store(Curve::g1_generator(), b, expected_.b1);
    store(Curve::g2_generator(), b, expected_.b2);
    store(Curve::g1_generator(), l + (a * b - c) * trapdoor.delta.inverse(), expected_.ch);
  }

  fixture::Circuit<Fr> circuit_;
  Pages slot_;
  fixture::KeyPoints<Curve> points_;
  std::span<std::byte> w_;
  std::span<std::byte> a_;
  std::span<std::byte> b_;
  std::span<std::byte> c_;
  ProofSums expected_;
};

}  // namespace baton::test
