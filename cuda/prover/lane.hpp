#pragma once

#include <cstddef>
#include <utility>

#include "cuda/device/arena.hpp"
#include "cuda/device/event.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/prover/host_buffer.hpp"
#include "cuda/prover/uploader.hpp"
#include "shared/groth16/prover_backend.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// The moments of one proof on the device, in the order of their names on each stream.
struct LaneEvents {
  static Result<LaneEvents> create();

  // copy stream
  Event copy_begin;
  Event witness_uploaded;
  Event uploaded;
  // stream of the sums over the witness
  Event sums_begin;
  Event digits_sorted;
  Event b2_done;
  Event a_done;
  Event b1_done;
  // stream of the quotient
  Event quotient_begin;
  Event quotient_done;
  Event ch_begin;
  Event ch_done;
  // stream of the sums
  Event done;
};

/// What one proof in flight owns: streams, events, the memory its result arrives in, a way to upload, and
/// (set by the backend) its part of the device's work memory.
struct Lane {
  static constexpr std::size_t kResultBytes = std::size_t{512} << 10;

  static Result<Lane> create(const PinnedRanges& ranges, bool stage);

  /// Waits until the device has left everything that this lane enqueued, whatever became of it. After a
  /// failure, so that nothing reads the slot any more.
  void drain() const noexcept;

  Stream copy;
  Stream sums;
  Stream quotient;
  LaneEvents events;
  HostBuffer results;
  Uploader uploader;
  ArenaView part{};
};

/// The times of the last proof of this lane, which must be done. Keeps what is not the device's.
Status read_timings(const LaneEvents& events, ProofTimings& timings);

}  // namespace baton
