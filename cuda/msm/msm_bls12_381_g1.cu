#include "cuda/msm/bases_impl.cuh"
#include "cuda/msm/msm_impl.cuh"

namespace baton {

template class MsmBases<Bls12_381G1Group>;
template class Msm<Bls12_381G1Group>;

}  // namespace baton
