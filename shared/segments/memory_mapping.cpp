#include "shared/segments/memory_mapping.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include <boost/interprocess/mapped_region.hpp>

namespace baton {

namespace {

namespace bip = boost::interprocess;

/// What mapped_region asks of a mappable object: our own, already checked descriptor.
class DescriptorMappable {
 public:
  explicit DescriptorMappable(int fd) noexcept { handle_.handle = fd; }
  [[nodiscard]] bip::mapping_handle_t get_mapping_handle() const noexcept { return handle_; }

 private:
  bip::mapping_handle_t handle_{};
};

constexpr std::size_t kPopulatePiece = std::size_t{64} << 20;

}  // namespace

struct MemoryMapping::Impl {
  bip::mapped_region region;
  MappingAccess access;

  [[nodiscard]] std::byte* data() const noexcept { return static_cast<std::byte*>(region.get_address()); }
};

Result<MemoryMapping> MemoryMapping::map(int fd, std::size_t bytes, MappingAccess access) {
  try {
    const bip::mode_t mode = access == MappingAccess::kReadOnly ? bip::read_only : bip::read_write;
    auto impl =
        std::make_unique<Impl>(Impl{bip::mapped_region(DescriptorMappable(fd), mode, 0, bytes), access});
    if (::madvise(impl->data(), bytes, MADV_DONTDUMP) != 0 ||
        ::madvise(impl->data(), bytes, MADV_DONTFORK) != 0) {
      return errno_status("madvise", errno);
    }
    return MemoryMapping(std::move(impl));
  } catch (const bip::interprocess_exception& error) {
    return errno_status("mapping " + std::to_string(bytes) + " bytes", error.get_native_error());
  }
}

MemoryMapping::MemoryMapping(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
MemoryMapping::~MemoryMapping() = default;
MemoryMapping::MemoryMapping(MemoryMapping&&) noexcept = default;
MemoryMapping& MemoryMapping::operator=(MemoryMapping&&) noexcept = default;

std::span<const std::byte> MemoryMapping::bytes() const noexcept {
  return {impl_->data(), impl_->region.get_size()};
}

std::span<std::byte> MemoryMapping::writable_bytes() const noexcept {
  if (impl_->access == MappingAccess::kReadOnly) {
    return {};
  }
  return {impl_->data(), impl_->region.get_size()};
}

Status MemoryMapping::populate(unsigned threads) const {
  const int advice = impl_->access == MappingAccess::kReadOnly ? MADV_POPULATE_READ : MADV_POPULATE_WRITE;
  const std::size_t size = impl_->region.get_size();
  const std::size_t pieces = (size + kPopulatePiece - 1) / kPopulatePiece;
  std::atomic<std::size_t> next{0};
  std::atomic<int> failure{0};
  const auto work = [&] {
    for (std::size_t piece = next++; piece < pieces && failure == 0; piece = next++) {
      const std::size_t offset = piece * kPopulatePiece;
      while (::madvise(impl_->data() + offset, std::min(kPopulatePiece, size - offset), advice) != 0) {
        if (errno != EINTR && errno != EAGAIN) {
          failure = errno;
          break;
        }
      }
    }
  };
  std::vector<std::jthread> helpers;
  for (unsigned i = 1; i < std::min<std::size_t>(threads, pieces); ++i) {
    helpers.emplace_back(work);
  }
  work();
  helpers.clear();
  // Kernels before 5.14 do not know the advice; the pages then come one by one, from blocks that exist.
  return failure == 0 || failure == EINVAL ? Status::ok() : errno_status("populating memory", failure);
}

}  // namespace baton
