#include "shared/formats/section_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

#include "tests/support/byte_writer.hpp"
#include "tests/support/expect_status.hpp"
#include "tests/support/temporary_directory.hpp"

namespace baton {
namespace {

using test::Bytes;
using test::ByteWriter;
using test::poke;
using test::refused_saying;
using test::SampleContainer;

constexpr std::size_t kCountOffset = 8;

SampleContainer sample() {
  return {"zkey", 1, {{7, Bytes(10)}, {1, Bytes(4)}, {3, Bytes()}}};
}

Result<SectionFile> scan(const Bytes& bytes) {
  const MemorySource source("key.zkey", bytes);
  return SectionFile::scan(source, "zkey", 1);
}

TEST(SectionFile, finds_sections_in_any_order) {
  const auto file = scan(sample().bytes());
  ASSERT_TRUE(file.is_ok());
  const auto seven = file->find(7);
  ASSERT_TRUE(seven.is_ok());
  EXPECT_EQ(seven->offset, 24U);
  EXPECT_EQ(seven->length, 10U);
  EXPECT_EQ(file->find(1)->offset, 24U + 10 + 12);
  EXPECT_EQ(file->find(3)->length, 0U);
  EXPECT_FALSE(file->has(2));
  EXPECT_TRUE(refused_saying(file->find(2), "key.zkey: section 2 is missing"));
}

TEST(SectionFile, ignores_bytes_after_the_last_section) {
  Bytes bytes = sample().bytes();
  bytes.resize(bytes.size() + 100);
  EXPECT_TRUE(scan(bytes).is_ok());
}

TEST(SectionFile, refuses_every_proper_prefix) {
  const Bytes whole = sample().bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(scan(prefix).is_ok()) << size;
  }
}

TEST(SectionFile, says_how_long_a_truncated_file_is) {
  EXPECT_TRUE(refused_saying(scan({}), "key.zkey: truncated: 0 bytes, a zkey file has at least 12"));
  Bytes bytes = sample().bytes();
  bytes.resize(30);
  bytes.resize(28);
  poke(bytes, kCountOffset, std::uint32_t{1});
  EXPECT_TRUE(refused_saying(
      scan(bytes), "key.zkey: section 7: truncated: length 10 at byte 24 is beyond the end of file at 28"));
}

TEST(SectionFile, refuses_another_magic_by_name) {
  SampleContainer other = sample();
  other.magic = "ptau";
  EXPECT_TRUE(refused_saying(scan(other.bytes()), "key.zkey: not a zkey file: it begins with \"ptau\""));
  Bytes bytes = sample().bytes();
  bytes[0] = std::byte{'\n'};
  EXPECT_TRUE(refused_saying(scan(bytes), "it begins with \"?key\""));
}

TEST(SectionFile, refuses_other_versions) {
  for (const std::uint32_t version : {0U, 2U, 0xffffffffU}) {
    SampleContainer other = sample();
    other.version = version;
    EXPECT_TRUE(refused_saying(scan(other.bytes()),
                               "unsupported zkey version " + std::to_string(version) + ", expected 1"));
  }
}

TEST(SectionFile, refuses_a_section_count_that_the_file_cannot_hold) {
  for (const std::uint32_t count : {1'000'000U, 0xffffffffU}) {
    Bytes bytes = sample().bytes();
    poke(bytes, kCountOffset, count);
    EXPECT_TRUE(
        refused_saying(scan(bytes), "section table: " + std::to_string(count) + " sections do not fit"));
  }
  Bytes bytes = sample().bytes();
  poke(bytes, kCountOffset, std::uint32_t{4});
  EXPECT_TRUE(refused_saying(scan(bytes), "truncated: the header of section 4 of 4 is at byte 62"));
}

TEST(SectionFile, refuses_duplicates) {
  SampleContainer twice = sample();
  twice.sections.push_back({7, Bytes(3)});
  EXPECT_TRUE(refused_saying(scan(twice.bytes()), "key.zkey: section 7 occurs twice"));
}

TEST(SectionFile, refuses_lengths_that_wrap_around) {
  const SampleContainer container = sample();
  const std::uint64_t end = container.bytes().size();
  const std::size_t field = container.header_offset(1) + 4;
  for (const std::uint64_t length :
       {std::uint64_t{1} << 32U, std::uint64_t{1} << 63U, std::uint64_t{9007199254740993U}, ~std::uint64_t{0},
        std::uint64_t{0} - (field + 8), std::uint64_t{0} - 34, end}) {
    Bytes bytes = container.bytes();
    poke(bytes, field, length);
    EXPECT_TRUE(refused_saying(scan(bytes), "section 1: truncated: length " + std::to_string(length)));
  }
}

TEST(SectionFile, finds_sections_beyond_four_gigabytes) {
  constexpr std::uint64_t kFirstLength = (std::uint64_t{1} << 32U) + 12345;
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("big.zkey");
  const Bytes head = ByteWriter()
                         .put_text("zkey")
                         .put(std::uint32_t{1})
                         .put(std::uint32_t{2})
                         .put(std::uint32_t{9})
                         .put(kFirstLength)
                         .bytes();
  const Bytes tail =
      ByteWriter().put(std::uint32_t{2}).put(std::uint64_t{4}).put(std::uint32_t{0xabcdef01}).bytes();
  {
    const auto fd = open_file(path, O_WRONLY | O_CREAT, 0600);
    ASSERT_TRUE(fd.is_ok());
    ASSERT_TRUE(write_all(fd->get(), head, path).is_ok());
    ASSERT_EQ(::lseek(fd->get(), static_cast<off_t>(head.size() + kFirstLength), SEEK_SET),
              static_cast<off_t>(head.size() + kFirstLength));
    ASSERT_TRUE(write_all(fd->get(), tail, path).is_ok());
  }
  const auto source = FileSource::open(path);
  ASSERT_TRUE(source.is_ok());
  const auto file = SectionFile::scan(**source, "zkey", 1);
  ASSERT_TRUE(file.is_ok()) << file.status().message();
  EXPECT_EQ(file->find(9)->length, kFirstLength);
  const auto section = file->find(2);
  ASSERT_TRUE(section.is_ok());
  EXPECT_EQ(section->offset, head.size() + kFirstLength + 12);
  std::array<std::byte, 4> content{};
  ASSERT_TRUE((*source)->read(section->offset, content).is_ok());
  EXPECT_EQ(content[0], std::byte{0x01});
  EXPECT_EQ(content[3], std::byte{0xab});
}

}  // namespace
}  // namespace baton
