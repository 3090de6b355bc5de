#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shared/support/posix.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// How the bytes of a file are had.
enum class FileAccess : std::uint8_t {
  kMap,   ///< mapped read-only: no copy, but the process dies of SIGBUS if the file is cut short meanwhile
  kRead,  ///< read into private memory in parallel: a file cut short meanwhile is an error
};

/// All bytes of one regular file. Immutable; the bytes live as long as the object and do not move with it.
class FileImage {
 public:
  /// Messages begin with `path`. A file that changes while it is read is refused.
  [[nodiscard]] static Result<FileImage> open(const std::string& path, FileAccess access);

  /// An image of bytes in memory; `name` begins the messages of its readers.
  [[nodiscard]] static FileImage from_bytes(std::string name, std::vector<std::byte> bytes);

  FileImage(FileImage&& other) noexcept;
  FileImage& operator=(FileImage&& other) noexcept;
  FileImage(const FileImage&) = delete;
  FileImage& operator=(const FileImage&) = delete;
  ~FileImage();

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

  /// The caller reads `range`, which lies in bytes(), no more: the whole pages in it give their memory back
  /// and hold anything from then on. No effect on bytes of from_bytes.
  void discard(std::span<const std::byte> range) noexcept;

  /// The state of the file that was opened; only the size is set for bytes in memory.
  [[nodiscard]] const FileIdentity& identity() const noexcept { return identity_; }

 private:
  FileImage() noexcept = default;
  [[nodiscard]] Status map(int fd);
  [[nodiscard]] Status read(UniqueFd fd);
  void unmap() noexcept;

  std::string name_;
  FileIdentity identity_;
  std::span<const std::byte> bytes_;
  std::vector<std::byte> owned_;  ///< of from_bytes
  void* mapping_ = nullptr;       ///< of open
};

}  // namespace baton
