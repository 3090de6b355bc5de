#include "gpu-worker/backend_factory.hpp"

#include "gpu-worker/null_backend.hpp"
#include "shared/groth16/cpu_backend.hpp"

#ifdef BATON_CUDA
#include "cuda/prover/cuda_backend.hpp"
#endif

namespace baton {

namespace {

std::unique_ptr<ProverBackend> make_cpu(const GpuOptions& options) {
  CpuBackendOptions cpu;
  cpu.threads = options.threads;
  return std::make_unique<CpuBackend>(cpu);
}

#ifdef BATON_CUDA
Result<std::unique_ptr<ProverBackend>> make_cuda(const GpuOptions& options) {
  CudaOptions cuda;
  cuda.device = options.device;
  if (options.lanes != 0) {
    cuda.lanes = options.lanes;
  }
  return make_cuda_backend(cuda);
}
#else
Result<std::unique_ptr<ProverBackend>> make_cuda(const GpuOptions& /*options*/) {
  return Status(StatusCode::kUnavailable, "this build has no CUDA: configure with -DBATON_CUDA=ON");
}
#endif

}  // namespace

Result<std::unique_ptr<ProverBackend>> make_backend(const GpuOptions& options, const Log& log) {
  switch (options.backend) {
    case BackendChoice::kCpu:
      return make_cpu(options);
    case BackendChoice::kCuda:
      return make_cuda(options);
    case BackendChoice::kNull:
      return std::unique_ptr<ProverBackend>(std::make_unique<NullBackend>());
    case BackendChoice::kAuto:
      break;
  }
  auto cuda = make_cuda(options);
  if (cuda.is_ok()) {
    return cuda;
  }
  log.info("proving on the CPU: " + cuda.status().message());
  return make_cpu(options);
}

}  // namespace baton
