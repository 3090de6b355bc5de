#include "cuda/device/device_info.hpp"

#include <cuda_runtime_api.h>

#include <array>
#include <cstdio>

#include "cuda/device/cuda_status.hpp"

namespace baton {

namespace {

std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x",
                  static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[i])));
    text += digits.data();
    if (i == 3 || i == 5 || i == 7 || i == 9) {
      text += '-';
    }
  }
  return text;
}

}  // namespace

Result<std::vector<DeviceInfo>> list_devices() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver) {
    (void)cudaGetLastError();
    return std::vector<DeviceInfo>();
  }
  BATON_RETURN_IF_ERROR(cuda_status(error, "count the devices"));
  std::vector<DeviceInfo> devices;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    BATON_RETURN_IF_ERROR(
        cuda_status(cudaGetDeviceProperties(&properties, i), "properties of device " + std::to_string(i)));
    devices.push_back({i, uuid_text(properties.uuid), properties.name, properties.major, properties.minor,
                       properties.multiProcessorCount, properties.totalGlobalMem,
                       static_cast<std::size_t>(properties.l2CacheSize)});
  }
  return devices;
}

Result<DeviceInfo> find_device(std::string_view uuid) {
  BATON_ASSIGN_OR_RETURN(const std::vector<DeviceInfo> devices, list_devices());
  std::string known;
  for (const DeviceInfo& device : devices) {
    if (uuid.empty() || device.uuid == uuid) {
      return device;
    }
    known += ' ';
    known += device.uuid;
  }
  return Status(StatusCode::kNotFound, devices.empty() ? std::string("no CUDA device is visible")
                                                       : "no device " + std::string(uuid) + " among" + known);
}

Status use_device(const DeviceInfo& device) {
  BATON_RETURN_IF_ERROR(cuda_status(cudaSetDevice(device.index), "use " + device.uuid));
  return cuda_status(cudaFree(nullptr), "create the context of " + device.uuid);
}

Result<std::size_t> free_device_memory() {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  BATON_RETURN_IF_ERROR(cuda_status(cudaMemGetInfo(&free_bytes, &total_bytes), "free device memory"));
  return free_bytes;
}

}  // namespace baton
