#include "client/private_directory.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

namespace baton {

Result<PrivateDirectory> PrivateDirectory::make() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  std::string path = std::string(runtime != nullptr && *runtime != '\0' ? runtime : "/tmp") + "/baton-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) {
    return errno_status("making " + path, errno);
  }
  return PrivateDirectory(std::move(path));
}

PrivateDirectory::PrivateDirectory(PrivateDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

PrivateDirectory::~PrivateDirectory() {
  if (!path_.empty()) {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
}

}  // namespace baton
