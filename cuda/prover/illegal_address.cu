#include "cuda/device/cuda_status.hpp"
#include "cuda/prover/illegal_address.hpp"

namespace baton {

namespace {

__global__ void write_through(volatile int* address) {
  *address = 1;
}

}  // namespace

Status touch_illegal_address(cudaStream_t stream) {
  write_through<<<1, 1, 0, stream>>>(reinterpret_cast<int*>(16));
  return last_cuda_status("launch the kernel of a fault point");
}

}  // namespace baton
