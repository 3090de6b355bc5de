#include "tests/benchmark/bench/copies.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <thread>
#include <vector>

#include "cuda/device/device_buffer.hpp"
#include "cuda/device/device_info.hpp"
#include "cuda/device/event.hpp"
#include "cuda/device/pinned_region.hpp"
#include "cuda/device/stream.hpp"
#include "shared/segments/memory_mapping.hpp"
#include "shared/support/clock.hpp"
#include "shared/support/unique_fd.hpp"
#include "tests/benchmark/bench/statistics.hpp"

namespace baton::bench {

namespace {

constexpr std::size_t kPiece = std::size_t{16} << 20;
constexpr std::size_t kPieces = 8;  ///< taken in turn
constexpr unsigned kPerSecond = 20;

Status measure(unsigned seconds) {
  const UniqueFd fd(memfd_create("copies", MFD_CLOEXEC));
  if (fd.get() < 0 || ftruncate(fd.get(), static_cast<off_t>(kPieces * kPiece)) != 0) {
    return {StatusCode::kNoSpace, "no memory for the segment"};
  }
  BATON_ASSIGN_OR_RETURN(const DeviceInfo device, find_device(""));
  BATON_RETURN_IF_ERROR(use_device(device));
  BATON_ASSIGN_OR_RETURN(const MemoryMapping mapping,
                         MemoryMapping::map(fd.get(), kPieces * kPiece, MappingAccess::kReadWrite));
  BATON_RETURN_IF_ERROR(mapping.populate(1));
  BATON_ASSIGN_OR_RETURN(const PinnedRegion region, PinnedRegion::pin(mapping.bytes()));
  BATON_ASSIGN_OR_RETURN(const DeviceBuffer to, DeviceBuffer::allocate(kPiece));
  BATON_ASSIGN_OR_RETURN(const Stream stream, Stream::create());
  BATON_ASSIGN_OR_RETURN(const Event begin, Event::create(EventKind::kTiming));
  BATON_ASSIGN_OR_RETURN(const Event end, Event::create(EventKind::kTiming));
  std::vector<double> rates;
  for (unsigned i = 0; i < seconds * kPerSecond; ++i) {
    BATON_RETURN_IF_ERROR(begin.record(stream.get()));
    BATON_RETURN_IF_ERROR(
        region.copy_async(to.data(), mapping.bytes().subspan(i % kPieces * kPiece, kPiece), stream.get()));
    BATON_RETURN_IF_ERROR(end.record(stream.get()));
    BATON_RETURN_IF_ERROR(stream.synchronize());
    BATON_ASSIGN_OR_RETURN(const double ms, elapsed_ms(begin, end));
    rates.push_back(static_cast<double>(kPiece) / ms / 1e6);
    std::this_thread::sleep_for(Milliseconds(1000 / kPerSecond));
  }
  std::printf("bare copies of 16 MiB: median %.1f GB/s, tenth percentile %.1f, maximum %.1f\n", median(rates),
              quantile(rates, 0.1), quantile(rates, 1));
  return {};
}

}  // namespace

int copies_command(unsigned seconds) {
  const Status status = measure(seconds);
  if (!status.is_ok()) {
    std::fprintf(stderr, "baton-bench: %s\n", status.to_string().c_str());
    return 1;
  }
  return 0;
}

}  // namespace baton::bench
