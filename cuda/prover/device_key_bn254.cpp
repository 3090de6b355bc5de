#include "cuda/prover/device_key_impl.hpp"

namespace baton {

template Result<std::unique_ptr<DeviceKey>> plan_device_key_of<Bn254>(const ProvingKeyView&, std::size_t);

}  // namespace baton
