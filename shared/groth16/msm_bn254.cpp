#include "shared/groth16/msm_impl.hpp"
#include "shared/math/bn254.hpp"

namespace baton {

template class Msm<Bn254>;

}  // namespace baton
