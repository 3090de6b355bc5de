#include "cuda/device/cuda_status.hpp"

#include <string>

namespace baton {

StatusCode cuda_status_code(cudaError_t error) noexcept {
  switch (error) {
    case cudaSuccess:
      return StatusCode::kOk;
    case cudaErrorMemoryAllocation:
      return StatusCode::kNoSpace;
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContextIsDestroyed:
    case cudaErrorDevicesUnavailable:
    case cudaErrorNoDevice:
    case cudaErrorCudartUnloading:
    case cudaErrorInitializationError:
    case cudaErrorMpsClientTerminated:
    case cudaErrorExternalDevice:
    case cudaErrorContained:
    case cudaErrorUnknown:
      return StatusCode::kGpuSticky;
    default:
      return StatusCode::kGpuTransient;
  }
}

Status cuda_status(cudaError_t error, std::string_view what) {
  if (error == cudaSuccess) {
    return {};
  }
  (void)cudaGetLastError();
  std::string message(what);
  message += ": ";
  message += cudaGetErrorName(error);
  message += " (";
  message += cudaGetErrorString(error);
  message += ')';
  return {cuda_status_code(error), std::move(message)};
}

Status last_cuda_status(std::string_view what) {
  return cuda_status(cudaGetLastError(), what);
}

}  // namespace baton
