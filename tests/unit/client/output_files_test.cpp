#include "client/output_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "client/private_directory.hpp"

namespace baton {
namespace {

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::size_t entries(const std::string& directory) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(directory)) {
    ++count;
  }
  return count;
}

class OutputFiles : public ::testing::Test {
 protected:
  OutputFiles() : directory_(std::move(*PrivateDirectory::make())) {}
  [[nodiscard]] std::string path(const std::string& name) const { return directory_.path() + "/" + name; }
  PrivateDirectory directory_;
};

TEST_F(OutputFiles, WritesBothAndLeavesNothingElse) {
  ASSERT_TRUE(write_outputs({path("proof.json"), path("public.json")}, "a proof", "signals").is_ok());
  EXPECT_EQ(content(path("proof.json")), "a proof");
  EXPECT_EQ(content(path("public.json")), "signals");
  EXPECT_EQ(entries(directory_.path()), 2U);
}

TEST_F(OutputFiles, WritesNeitherWhenOnePlaceDoesNotExist) {
  EXPECT_FALSE(write_outputs({path("proof.json"), path("nowhere/public.json")}, "a", "b").is_ok());
  EXPECT_EQ(entries(directory_.path()), 0U);
}

TEST_F(OutputFiles, FindsABadPlaceBeforeAnyWork) {
  EXPECT_FALSE(check_output_paths({path("nowhere/proof.json"), path("public.json")}).is_ok());
  EXPECT_FALSE(check_output_paths({path("same.json"), path("same.json")}).is_ok());
  EXPECT_TRUE(check_output_paths({path("proof.json"), path("public.json")}).is_ok());
  EXPECT_EQ(entries(directory_.path()), 0U);
}

}  // namespace
}  // namespace baton
