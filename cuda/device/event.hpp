#pragma once

#include <cuda_runtime_api.h>

#include <utility>

#include "shared/support/result.hpp"

namespace baton {

enum class EventKind : unsigned char {
  kOrder,     ///< for waiting only
  kTiming,    ///< for elapsed_ms; waiting spins
  kBlocking,  ///< for waiting without burning a CPU; also timed
};

/// Owns a CUDA event.
class Event {
 public:
  static Result<Event> create(EventKind kind);

  Event(Event&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event();

  [[nodiscard]] cudaEvent_t get() const noexcept { return handle_; }

  Status record(cudaStream_t stream) const;
  /// Blocks the calling thread until the recorded work is done.
  Status synchronize() const;
  /// Makes later work in `stream` wait for the recorded work.
  Status wait_in(cudaStream_t stream) const;

 private:
  explicit Event(cudaEvent_t handle) noexcept : handle_(handle) {}

  cudaEvent_t handle_ = nullptr;
};

/// Milliseconds from `begin` to `end`, both timed, recorded and reached.
Result<double> elapsed_ms(const Event& begin, const Event& end);

}  // namespace baton
