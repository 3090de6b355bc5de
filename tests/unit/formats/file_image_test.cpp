#include "shared/formats/file_image.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "shared/formats/byte_source.hpp"
#include "tests/support/byte_writer.hpp"
#include "tests/support/expect_status.hpp"
#include "tests/support/temporary_directory.hpp"

namespace baton {
namespace {

using test::Bytes;
using test::refused_saying;

class FileImageTest : public ::testing::TestWithParam<FileAccess> {
 protected:
  std::string write(const Bytes& bytes) {
    std::string path = directory_.file("file");
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path;
  }

  test::TemporaryDirectory directory_;
};

INSTANTIATE_TEST_SUITE_P(BothWays, FileImageTest, ::testing::Values(FileAccess::kMap, FileAccess::kRead));

TEST_P(FileImageTest, DiscardedPagesGoAndTheirNeighboursStay) {
  const test::Bytes bytes(5 * 4096, std::byte{7});
  auto image = FileImage::open(write(bytes), GetParam());
  ASSERT_TRUE(image.is_ok());
  image->discard(image->bytes().subspan(100, 3 * 4096));
  EXPECT_EQ(image->bytes()[4095], std::byte{7});
  EXPECT_EQ(image->bytes()[3 * 4096], std::byte{7});
  // A mapped page comes back from its file, private memory does not.
  EXPECT_EQ(image->bytes()[4096], GetParam() == FileAccess::kMap ? std::byte{7} : std::byte{0});
}

TEST_P(FileImageTest, holds_the_bytes_of_the_file) {
  Bytes bytes((std::size_t{9} << 20U) + 77);  // several pieces of the parallel read
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(i * 2654435761U >> 13U);
  }
  auto image = FileImage::open(write(bytes), GetParam());
  ASSERT_TRUE(image.is_ok());
  EXPECT_TRUE(std::ranges::equal(image->bytes(), bytes));
  EXPECT_EQ(image->identity().size, bytes.size());
  const std::byte* const address = image->bytes().data();
  const FileImage moved = std::move(*image);
  EXPECT_EQ(moved.bytes().data(), address);
}

TEST_P(FileImageTest, of_an_empty_file_is_empty) {
  const auto image = FileImage::open(write({}), GetParam());
  ASSERT_TRUE(image.is_ok());
  EXPECT_TRUE(image->bytes().empty());
}

TEST_P(FileImageTest, of_no_regular_file_is_refused) {
  EXPECT_TRUE(refused_saying(FileImage::open(directory_.file("absent"), GetParam()), "absent: No such file"));
  EXPECT_TRUE(refused_saying(FileImage::open(directory_.path(), GetParam()), "not a regular file"));
  const std::string fifo = directory_.file("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_TRUE(refused_saying(FileImage::open(fifo, GetParam()), "fifo: not a regular file"));
}

TEST(FileImage, of_memory_keeps_its_bytes_when_moved) {
  FileImage image = FileImage::from_bytes("memory", Bytes(3, std::byte{7}));
  const FileImage moved = std::move(image);
  EXPECT_EQ(moved.name(), "memory");
  EXPECT_TRUE(std::ranges::equal(moved.bytes(), Bytes(3, std::byte{7})));
}

TEST(FileSource, of_a_file_cut_short_meanwhile_answers_with_an_error) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("short");
  std::ofstream(path) << std::string(1000, 'x');
  const auto source = FileSource::open(path);
  ASSERT_TRUE(source.is_ok());
  std::filesystem::resize_file(path, 500);
  Bytes out(1000);
  EXPECT_TRUE(refused_saying((*source)->read(0, out), "short: ends at byte 500, expected 1000"));
  EXPECT_TRUE(refused_saying(read_parallel(**source, 0, out), "short: ends at byte 500"));
}

TEST(MemorySource, refuses_to_read_beyond_its_end) {
  const Bytes bytes(10);
  const MemorySource source("memory", bytes);
  Bytes out(5);
  EXPECT_TRUE(source.read(5, out).is_ok());
  EXPECT_TRUE(refused_saying(source.read(6, out), "memory: ends at byte 10"));
  EXPECT_TRUE(refused_saying(source.read(~std::uint64_t{0}, out), "memory: ends at byte 10"));
}

}  // namespace
}  // namespace baton
