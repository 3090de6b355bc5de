#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "shared/formats/proving_key_view.hpp"
#include "shared/groth16/msm.hpp"
#include "shared/groth16/prover_backend.hpp"
#include "shared/groth16/root_table.hpp"
#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"

namespace baton {

/// The input of one proof in private memory, all of it checked to be below the modulus. `abc` are used up.
template <class Curve>
struct PrivateInput {
  std::span<const std::byte> w;  ///< canonical scalars
  std::span<typename Curve::Fr> a;
  std::span<typename Curve::Fr> b;
  std::span<typename Curve::Fr> c;
  bool c_is_derived = false;  ///< c holds nothing yet: it is a o b
};

/// Computes the sums of proofs on one curve, one at a time, on the threads of the caller's arena. Keeps the
/// root table of the largest domain and the memory of its sums from proof to proof.
template <class Curve>
class CpuEngine {
 public:
  [[nodiscard]] ProofSums compute(const ProvingKeyView& key, const PrivateInput<Curve>& input,
                                  ProofTimings& timings);

 private:
  void quotient(const PrivateInput<Curve>& input);
  ProofSums sums(const ProvingKeyView& key, const PrivateInput<Curve>& input, ProofTimings& timings);

  std::optional<RootTable<typename Curve::Fr>> roots_;
  Msm<Curve> msm_;
};

extern template class CpuEngine<Bn254>;
extern template class CpuEngine<Bls12_381>;

}  // namespace baton
