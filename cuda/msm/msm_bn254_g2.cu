#include "cuda/msm/bases_impl.cuh"
#include "cuda/msm/msm_impl.cuh"

namespace baton {

template class MsmBases<Bn254G2Group>;
template class Msm<Bn254G2Group>;

}  // namespace baton
