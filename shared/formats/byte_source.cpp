#include "shared/formats/byte_source.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include "shared/support/concat.hpp"

namespace baton {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{4} << 20U;

}  // namespace

Result<std::unique_ptr<ByteSource>> FileSource::open(const std::string& path) {
  BATON_ASSIGN_OR_RETURN(UniqueFd fd, open_regular_file(path));
  BATON_ASSIGN_OR_RETURN(const FileIdentity identity, file_identity(fd.get(), path));
  return std::unique_ptr<ByteSource>(std::make_unique<FileSource>(path, std::move(fd), identity.size));
}

FileSource::FileSource(std::string name, UniqueFd fd, std::uint64_t size) noexcept
    : name_(std::move(name)), fd_(std::move(fd)), size_(size) {}

Status FileSource::read(std::uint64_t offset, std::span<std::byte> out) const {
  return pread_exact(fd_.get(), out, offset, name_);
}

MemorySource::MemorySource(std::string name, std::span<const std::byte> bytes) noexcept
    : name_(std::move(name)), bytes_(bytes) {}

Status MemorySource::read(std::uint64_t offset, std::span<std::byte> out) const {
  if (offset > bytes_.size() || out.size() > bytes_.size() - offset) {
    return invalid_input(concat(name_, ": ends at byte ", bytes_.size(), ", ", out.size(),
                                " bytes were expected at ", offset));
  }
  std::memcpy(out.data(), bytes_.data() + offset, out.size());
  return {};
}

Status read_parallel(const ByteSource& source, std::uint64_t offset, std::span<std::byte> out) {
  const std::size_t pieces = (out.size() + kPieceBytes - 1) / kPieceBytes;
  std::mutex mutex;
  Status first_failure;  // guarded by mutex
  oneapi::tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t piece) {
    const std::size_t begin = piece * kPieceBytes;
    const std::size_t length = std::min(kPieceBytes, out.size() - begin);
    if (Status status = source.read(offset + begin, out.subspan(begin, length)); !status.is_ok()) {
      const std::lock_guard lock(mutex);
      first_failure = std::move(status);
    }
  });
  return first_failure;
}

}  // namespace baton
