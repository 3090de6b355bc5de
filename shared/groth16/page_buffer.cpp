#include "shared/groth16/page_buffer.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>

namespace baton {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

Result<PageBuffer> PageBuffer::allocate(std::size_t bytes) {
  PageBuffer buffer;
  if (bytes == 0) {
    return buffer;
  }
  const bool huge = bytes >= kHugePage;
  const std::size_t mapped = huge ? bytes + kHugePage : bytes;
  void* mapping = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) {
    return Status(StatusCode::kNoSpace,
                  "memory: " + std::to_string(bytes) + " bytes wanted, the system refuses them");
  }
  buffer.mapping_ = mapping;
  buffer.mapped_ = mapped;
  auto* begin = static_cast<std::byte*>(mapping);
  if (huge) {
    const std::size_t past = reinterpret_cast<std::uintptr_t>(begin) % kHugePage;
    begin += (kHugePage - past) % kHugePage;
    // Whole huge pages only: the rest of the last one would count as ours without being used.
    ::madvise(begin, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
  }
  buffer.bytes_ = {begin, bytes};
  return buffer;
}

PageBuffer::PageBuffer(PageBuffer&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      mapped_(std::exchange(other.mapped_, 0)),
      bytes_(std::exchange(other.bytes_, {})) {}

PageBuffer& PageBuffer::operator=(PageBuffer&& other) noexcept {
  if (this != &other) {
    release();
    mapping_ = std::exchange(other.mapping_, nullptr);
    mapped_ = std::exchange(other.mapped_, 0);
    bytes_ = std::exchange(other.bytes_, {});
  }
  return *this;
}

PageBuffer::~PageBuffer() {
  release();
}

void PageBuffer::release() noexcept {
  if (mapping_ != nullptr) {
    ::munmap(mapping_, mapped_);
  }
}

}  // namespace baton
