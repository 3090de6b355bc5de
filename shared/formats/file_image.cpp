#include "shared/formats/file_image.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <utility>

#include "shared/formats/byte_source.hpp"

namespace baton {

Result<FileImage> FileImage::open(const std::string& path, FileAccess access) {
  BATON_ASSIGN_OR_RETURN(UniqueFd fd, open_regular_file(path));
  FileImage image;
  image.name_ = path;
  BATON_ASSIGN_OR_RETURN(image.identity_, file_identity(fd.get(), path));
  if (image.identity_.size == 0) {
    return image;  // an empty range cannot be mapped
  }
  BATON_RETURN_IF_ERROR(access == FileAccess::kMap ? image.map(fd.get()) : image.read(std::move(fd)));
  return image;
}

FileImage FileImage::from_bytes(std::string name, std::vector<std::byte> bytes) {
  FileImage image;
  image.name_ = std::move(name);
  image.identity_.size = bytes.size();
  image.owned_ = std::move(bytes);
  image.bytes_ = image.owned_;
  return image;
}

FileImage::FileImage(FileImage&& other) noexcept
    : name_(std::move(other.name_)),
      identity_(other.identity_),
      bytes_(std::exchange(other.bytes_, {})),
      owned_(std::move(other.owned_)),
      mapping_(std::exchange(other.mapping_, nullptr)) {}

FileImage& FileImage::operator=(FileImage&& other) noexcept {
  if (this != &other) {
    unmap();
    name_ = std::move(other.name_);
    identity_ = other.identity_;
    bytes_ = std::exchange(other.bytes_, {});
    owned_ = std::move(other.owned_);
    mapping_ = std::exchange(other.mapping_, nullptr);
  }
  return *this;
}

FileImage::~FileImage() {
  unmap();
}

void FileImage::unmap() noexcept {
  if (mapping_ != nullptr) {
    ::munmap(mapping_, bytes_.size());
    mapping_ = nullptr;
    bytes_ = {};
  }
}

void FileImage::discard(std::span<const std::byte> range) noexcept {
  if (mapping_ == nullptr || range.empty()) {
    return;
  }
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto start = static_cast<std::size_t>(range.data() - bytes_.data());
  const std::size_t first = (start + page - 1) / page * page;
  const std::size_t last = (start + range.size()) / page * page;
  if (first < last) {
    ::madvise(static_cast<std::byte*>(mapping_) + first, last - first, MADV_DONTNEED);
  }
}

Status FileImage::map(int fd) {
  void* address = ::mmap(nullptr, identity_.size, PROT_READ, MAP_SHARED, fd, 0);
  if (address == MAP_FAILED) {
    return errno_status(name_ + ": mmap", errno);
  }
  mapping_ = address;
  bytes_ = {static_cast<const std::byte*>(address), identity_.size};
  return {};
}

Status FileImage::read(UniqueFd fd) {
  void* address = ::mmap(nullptr, identity_.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) {
    return errno_status(name_ + ": memory for its bytes", errno);
  }
  ::madvise(address, identity_.size, MADV_HUGEPAGE);  // a hint: a fault for each small page would take longer
  mapping_ = address;
  bytes_ = {static_cast<const std::byte*>(address), identity_.size};
  const int descriptor = fd.get();
  const FileSource source(name_, std::move(fd), identity_.size);
  BATON_RETURN_IF_ERROR(read_parallel(source, 0, {static_cast<std::byte*>(address), identity_.size}));
  BATON_ASSIGN_OR_RETURN(const FileIdentity after, file_identity(descriptor, name_));
  if (after != identity_) {
    return invalid_input(name_ + ": changed while it was read");
  }
  return {};
}

}  // namespace baton
