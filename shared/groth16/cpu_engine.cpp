#include "shared/groth16/cpu_engine.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

#include "shared/groth16/quotient.hpp"
#include "shared/support/clock.hpp"

namespace baton {
namespace {

template <class Affine>
PointTable<Affine> table_of(std::span<const std::byte> section, std::size_t first_scalar) {
  return {section.data(), first_scalar, section.size() / Affine::kBytes};
}

template <class Affine, class Bytes>
Bytes bytes_of(const Affine& point) {
  Bytes bytes{};
  point.store(bytes.data());
  return bytes;
}

}  // namespace

template <class Curve>
ProofSums CpuEngine<Curve>::compute(const ProvingKeyView& key, const PrivateInput<Curve>& input,
                                    ProofTimings& timings) {
  const Stopwatch watch;
  quotient(input);
  timings.ntt_ms = watch.milliseconds();
  const ProofSums result = sums(key, input, timings);
  timings.compute_ms = watch.milliseconds();
  return result;
}

template <class Curve>
void CpuEngine<Curve>::quotient(const PrivateInput<Curve>& input) {
  using Fr = typename Curve::Fr;
  const auto log_size = static_cast<unsigned>(std::countr_zero(input.a.size()));
  if (!roots_ || roots_->log_size() < log_size) {
    roots_.reset();
    roots_.emplace(log_size);
  }
  if (input.c_is_derived) {
    multiply_pointwise<Fr>(input.a, input.b, input.c);
  }
  quotient_in_place<Fr>(input.a, input.b, input.c, *roots_);
}

template <class Curve>
ProofSums CpuEngine<Curve>::sums(const ProvingKeyView& key, const PrivateInput<Curve>& input,
                                 ProofTimings& timings) {
  using G1 = typename Curve::G1Affine;
  using G2 = typename Curve::G2Affine;
  const Stopwatch watch;
  G1 a;
  G1 b1;
  G1 c;
  G1 h;
  G2 b2;
  std::array<std::atomic<std::int64_t>, 4> work{};
  std::array<MsmGroup<Curve>, 2> groups;
  groups[0].scalars = input.w;
  groups[0].g2 = {{table_of<G2>(key.b2, 0), &b2, &work[2]}};
  groups[0].g1 = {{table_of<G1>(key.a, 0), &a, &work[0]},
                  {table_of<G1>(key.b1, 0), &b1, &work[1]},
                  {table_of<G1>(key.c, std::size_t{key.n_public} + 1), &c, &work[3]}};
  groups[1].scalars = std::as_bytes(input.a);
  groups[1].g1 = {{table_of<G1>(key.h, 0), &h, &work[3]}};
  msm_.compute(groups);

  // The sums are interleaved: each gets its share of the time.
  const double total = static_cast<double>(work[0] + work[1] + work[2] + work[3]);
  const double scale = total == 0 ? 0 : watch.milliseconds() / total;
  timings.msm_a_ms = scale * static_cast<double>(work[0]);
  timings.msm_b1_ms = scale * static_cast<double>(work[1]);
  timings.msm_b2_ms = scale * static_cast<double>(work[2]);
  timings.msm_ch_ms = scale * static_cast<double>(work[3]);
  const G1 ch = (Curve::G1Xyzz::from_affine(c) + h).to_affine();
  return {bytes_of<G1, G1Bytes>(a), bytes_of<G1, G1Bytes>(b1), bytes_of<G1, G1Bytes>(ch),
          bytes_of<G2, G2Bytes>(b2)};
}

template class CpuEngine<Bn254>;
template class CpuEngine<Bls12_381>;

}  // namespace baton
