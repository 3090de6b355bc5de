#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "shared/support/result.hpp"
#include "shared/support/unique_fd.hpp"

namespace baton {

/// A file that appears whole or not at all. Bytes go to a temporary name in the target's directory; `commit`
/// makes them durable and renames. Destroyed before that, it leaves nothing; a crash leaves at most the
/// temporary name (".baton-*.tmp"). A target that exists must be a regular file (a link to it is replaced).
class AtomicFile {
 public:
  [[nodiscard]] static Result<AtomicFile> create(std::string path);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  [[nodiscard]] Status append(std::span<const std::byte> bytes);
  [[nodiscard]] Status append(std::string_view text);

  /// Puts the bytes on the disk; what can fail for want of space has failed after this.
  [[nodiscard]] Status sync();

  /// sync, rename, sync of the directory. Call once; nothing may be appended afterwards.
  [[nodiscard]] Status commit();

 private:
  AtomicFile(std::string path, std::string temporary, UniqueFd fd, UniqueFd directory) noexcept;
  void discard() noexcept;

  std::string path_;
  std::string temporary_;  ///< empty once there is nothing to remove
  UniqueFd fd_;
  UniqueFd directory_;
};

/// All of `text` as the file `path`, or no change at all.
[[nodiscard]] Status write_file_atomically(const std::string& path, std::string_view text);

}  // namespace baton
