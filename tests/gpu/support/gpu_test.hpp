#pragma once

#include <gtest/gtest.h>

#include "cuda/device/device_info.hpp"

namespace baton::test {

inline bool has_device() {
  const auto devices = list_devices();
  return devices.is_ok() && !devices->empty();
}

}  // namespace baton::test

/// First line of every test here: a clear word instead of a failure where there is no device.
#define BATON_SKIP_WITHOUT_DEVICE()                 \
  if (!::baton::test::has_device()) {               \
    GTEST_SKIP() << "no CUDA device: test not run"; \
  }                                                 \
  static_assert(true)
