#include "tests/benchmark/bench/nvml_sampler.hpp"

#include <dlfcn.h>

#include <memory>

namespace baton::bench {

namespace {

/// The part of NVML's interface that is used here.
struct Utilization {
  unsigned gpu = 0;
  unsigned memory = 0;
};
using Device = void*;

struct Nvml {
  struct Close {
    void operator()(void* library) const { (void)dlclose(library); }
  };
  std::unique_ptr<void, Close> library{dlopen("libnvidia-ml.so.1", RTLD_NOW)};

  template <class Function>
  Function find(const char* name) const {
    return library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library.get(), name));
  }
};

}  // namespace

NvmlSampler::NvmlSampler() : thread_([this] { sample(); }) {}

NvmlSampler::~NvmlSampler() {
  stopping_ = true;
  thread_.join();
}

void NvmlSampler::sample() {
  const Nvml nvml;
  const auto init = nvml.find<int (*)()>("nvmlInit_v2");
  const auto handle = nvml.find<int (*)(unsigned, Device*)>("nvmlDeviceGetHandleByIndex_v2");
  const auto utilization = nvml.find<int (*)(Device, Utilization*)>("nvmlDeviceGetUtilizationRates");
  const auto shutdown = nvml.find<int (*)()>("nvmlShutdown");
  Device device = nullptr;
  if (init == nullptr || handle == nullptr || utilization == nullptr || shutdown == nullptr || init() != 0 ||
      handle(0, &device) != 0) {
    return;
  }
  while (!stopping_) {
    Utilization now_used;
    if (utilization(device, &now_used) == 0) {
      const std::lock_guard lock(mutex_);
      readings_.push_back({now(), static_cast<double>(now_used.gpu)});
    }
    std::this_thread::sleep_for(Milliseconds(100));
  }
  (void)shutdown();
}

std::optional<double> NvmlSampler::mean(Instant from, Instant to) const {
  const std::lock_guard lock(mutex_);
  double sum = 0;
  std::size_t count = 0;
  for (const Reading& reading : readings_) {
    if (from <= reading.at && reading.at <= to) {
      sum += reading.percent;
      ++count;
    }
  }
  return count == 0 ? std::nullopt : std::optional<double>(sum / static_cast<double>(count));
}

}  // namespace baton::bench
