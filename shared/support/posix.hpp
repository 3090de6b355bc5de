#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "shared/support/result.hpp"
#include "shared/support/unique_fd.hpp"

/// System calls that retry on EINTR and answer with a Status naming the path.
namespace baton {

/// Tells two files, and two states of one file, apart without reading them.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// Always close-on-exec.
Result<UniqueFd> open_file(const std::string& path, int flags, mode_t mode = 0);

/// Opens a regular file for reading; devices, pipes and directories are refused (and never block).
Result<UniqueFd> open_regular_file(const std::string& path);

Result<FileIdentity> file_identity(int fd, std::string_view name);

/// Fills `bytes` from `offset`; a file that ends before is kInvalidInput.
Status pread_exact(int fd, std::span<std::byte> bytes, std::uint64_t offset, std::string_view name);

/// Writes everything at the descriptor's position.
Status write_all(int fd, std::span<const std::byte> bytes, std::string_view name);
Status write_all(int fd, std::string_view text, std::string_view name);

/// The whole of a regular file; kLimit when it holds more than `limit` bytes.
Result<std::string> read_small_file(const std::string& path, std::size_t limit);

/// Makes the directory, private to its owner, where it does not exist; refuses one of another owner, a
/// symbolic link, or one that others may enter. `mode` 0710 lets the group reach files whose names it knows.
Status make_private_directory(const std::string& path, mode_t mode = 0700);

/// Bytes that an unprivileged process may still allocate on the file system of `path`.
Result<std::uint64_t> free_bytes(const std::string& path);

}  // namespace baton
