#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "shared/segments/memory_mapping.hpp"
#include "shared/support/result.hpp"
#include "shared/support/unique_fd.hpp"

namespace baton {

/// One file of shared memory and its mapping. As long as it lives it holds a shared flock, by which the
/// reaper knows that somebody uses the file.
///
/// A segment appears under its name whole or not at all: a creator that dies leaves nothing. Its blocks are
/// reserved, so touching it never raises SIGBUS. It is never resized.
class Segment {
 public:
  /// Fills the new segment's bytes (zero until then) before anybody else can see them.
  using Initialise = std::function<void(std::span<std::byte>)>;

  /// Makes `directory`/`name` of `bytes` bytes, mode 0600, and populates it with `threads` threads.
  /// kNoSpace says what is needed and what is free; kExists when the name is taken.
  static Result<Segment> create(const std::string& directory, const std::string& name, std::size_t bytes,
                                unsigned threads, const Initialise& initialise);

  /// Refuses (kPermission) anything but a regular file of this user, mode 0600, with one link; kCorrupt when
  /// it is not `expected_bytes` long (zero: any size that is a page at least); kNotFound when it is gone or
  /// being removed.
  static Result<Segment> open(const std::string& directory, const std::string& name,
                              std::size_t expected_bytes, MappingAccess access);

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return mapping_.bytes(); }
  /// Empty when opened read-only.
  [[nodiscard]] std::span<std::byte> writable_bytes() const noexcept { return mapping_.writable_bytes(); }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  Status populate(unsigned threads) const { return mapping_.populate(threads); }

  /// Removes the name, if it still is this segment's. Mappings everywhere stay valid.
  Status remove_name(const std::string& directory) const;

 private:
  Segment(UniqueFd fd, MemoryMapping mapping, std::string name) noexcept
      : fd_(std::move(fd)), mapping_(std::move(mapping)), name_(std::move(name)) {}

  UniqueFd fd_;
  MemoryMapping mapping_;
  std::string name_;
};

}  // namespace baton
