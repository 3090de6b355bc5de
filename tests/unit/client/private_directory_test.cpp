#include "client/private_directory.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace baton {
namespace {

TEST(PrivateDirectory, IsClosedToOthersAndGoneAfterwards) {
  std::string path;
  {
    const auto sut = PrivateDirectory::make();
    ASSERT_TRUE(sut.is_ok());
    path = sut->path();
    struct stat info {};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0700U);
    std::filesystem::create_directory(path + "/inner");
    std::ofstream(path + "/inner/file") << "text";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace baton
