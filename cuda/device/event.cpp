#include "cuda/device/event.hpp"

#include "cuda/device/cuda_status.hpp"

namespace baton {

namespace {

unsigned flags_of(EventKind kind) {
  switch (kind) {
    case EventKind::kOrder:
      return cudaEventDisableTiming;
    case EventKind::kTiming:
      return cudaEventDefault;
    case EventKind::kBlocking:
      return cudaEventBlockingSync;
  }
  return cudaEventDefault;
}

}  // namespace

Result<Event> Event::create(EventKind kind) {
  cudaEvent_t handle = nullptr;
  BATON_RETURN_IF_ERROR(cuda_status(cudaEventCreateWithFlags(&handle, flags_of(kind)), "create an event"));
  return Event(handle);
}

Event::~Event() {
  if (handle_ != nullptr) {
    (void)cudaEventDestroy(handle_);
  }
}

Status Event::record(cudaStream_t stream) const {
  return cuda_status(cudaEventRecord(handle_, stream), "record an event");
}

Status Event::synchronize() const {
  return cuda_status(cudaEventSynchronize(handle_), "wait for an event");
}

Status Event::wait_in(cudaStream_t stream) const {
  return cuda_status(cudaStreamWaitEvent(stream, handle_, 0), "order a stream after an event");
}

Result<double> elapsed_ms(const Event& begin, const Event& end) {
  float milliseconds = 0;
  BATON_RETURN_IF_ERROR(
      cuda_status(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "time between events"));
  return static_cast<double>(milliseconds);
}

}  // namespace baton
