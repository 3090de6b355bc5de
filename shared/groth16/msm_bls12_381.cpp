#include "shared/groth16/msm_impl.hpp"
#include "shared/math/bls12_381.hpp"

namespace baton {

template class Msm<Bls12_381>;

}  // namespace baton
