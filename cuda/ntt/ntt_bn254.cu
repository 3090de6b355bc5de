#include "cuda/ntt/ntt_domain_impl.cuh"

namespace baton {

template class NttDomain<Bn254::Fr>;

}  // namespace baton
