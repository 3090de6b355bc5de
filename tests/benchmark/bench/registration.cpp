#include "tests/benchmark/bench/registration.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>

#include "cuda/device/device_info.hpp"
#include "cuda/device/pinned_region.hpp"
#include "shared/segments/memory_mapping.hpp"
#include "shared/support/clock.hpp"
#include "shared/support/unique_fd.hpp"

namespace baton::bench {

namespace {

constexpr unsigned kThreads = 8;

Status measure(unsigned gib, unsigned threads) {
  const std::size_t bytes = std::size_t{gib} << 30;
  const UniqueFd fd(memfd_create("slots", MFD_CLOEXEC));
  if (fd.get() < 0 || ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0) {
    return {StatusCode::kNoSpace, "no memory for the segment"};
  }
  {
    BATON_ASSIGN_OR_RETURN(const MemoryMapping writer,
                           MemoryMapping::map(fd.get(), bytes, MappingAccess::kReadWrite));
    BATON_RETURN_IF_ERROR(writer.populate(kThreads));
  }
  Stopwatch watch;
  BATON_ASSIGN_OR_RETURN(const DeviceInfo device, find_device(""));
  BATON_RETURN_IF_ERROR(use_device(device));
  const double context = watch.milliseconds();
  watch.restart();
  BATON_ASSIGN_OR_RETURN(const MemoryMapping mapping,
                         MemoryMapping::map(fd.get(), bytes, MappingAccess::kReadOnly));
  BATON_RETURN_IF_ERROR(mapping.populate(kThreads));
  const double populate = watch.milliseconds();
  PinOptions options;
  options.threads = threads == 0 ? options.threads : threads;
  watch.restart();
  BATON_ASSIGN_OR_RETURN(const PinnedRegion region, PinnedRegion::pin(mapping.bytes(), options));
  const double pin = watch.milliseconds();
  std::printf(
      "context %.0f ms; %u GiB: mapping made present %.1f, registration by %u threads %.1f, together %.1f ms "
      "per GiB\n",
      context, gib, populate / gib, options.threads, pin / gib, (populate + pin) / gib);
  return {};
}

}  // namespace

int registration_command(unsigned gib, unsigned threads) {
  const Status status = measure(gib, threads);
  if (!status.is_ok()) {
    std::fprintf(stderr, "baton-bench: %s\n", status.to_string().c_str());
    return 1;
  }
  return 0;
}

}  // namespace baton::bench
