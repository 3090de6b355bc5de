#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shared/support/posix.hpp"
#include "shared/support/result.hpp"

namespace baton {

/// Bytes of a known number that can be read at any offset, from many threads at once.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// What messages begin with.
  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;

  /// Fills `out` from `offset`; a source that ends before that (or has been cut short) is an error.
  [[nodiscard]] virtual Status read(std::uint64_t offset, std::span<std::byte> out) const = 0;
};

/// A regular file, read with pread.
class FileSource final : public ByteSource {
 public:
  [[nodiscard]] static Result<std::unique_ptr<ByteSource>> open(const std::string& path);

  [[nodiscard]] const std::string& name() const noexcept override { return name_; }
  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] Status read(std::uint64_t offset, std::span<std::byte> out) const override;

  FileSource(std::string name, UniqueFd fd, std::uint64_t size) noexcept;

 private:
  std::string name_;
  UniqueFd fd_;
  std::uint64_t size_;
};

/// Bytes that somebody else keeps alive.
class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string name, std::span<const std::byte> bytes) noexcept;

  [[nodiscard]] const std::string& name() const noexcept override { return name_; }
  [[nodiscard]] std::uint64_t size() const noexcept override { return bytes_.size(); }
  [[nodiscard]] Status read(std::uint64_t offset, std::span<std::byte> out) const override;

 private:
  std::string name_;
  std::span<const std::byte> bytes_;
};

/// Fills `out` from `offset` with several reads at once.
[[nodiscard]] Status read_parallel(const ByteSource& source, std::uint64_t offset, std::span<std::byte> out);

}  // namespace baton
