#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "shared/support/result.hpp"

namespace baton {

struct DeviceInfo {
  int index = 0;     ///< for cudaSetDevice
  std::string uuid;  ///< as nvidia-smi prints it: GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx
  std::string name;
  int compute_major = 0;
  int compute_minor = 0;
  int multiprocessors = 0;
  std::size_t total_memory = 0;
  std::size_t l2_bytes = 0;
};

/// Every device that this process can see; empty when there is none or no driver.
Result<std::vector<DeviceInfo>> list_devices();

/// The device with this UUID; the first one when `uuid` is empty. kNotFound names those that exist.
Result<DeviceInfo> find_device(std::string_view uuid);

/// Makes the device current for the calling thread and creates its context.
Status use_device(const DeviceInfo& device);

/// Free device memory right now.
Result<std::size_t> free_device_memory();

}  // namespace baton
