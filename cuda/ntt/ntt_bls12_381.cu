#include "cuda/ntt/ntt_domain_impl.cuh"

namespace baton {

template class NttDomain<Bls12_381::Fr>;

}  // namespace baton
